import { lines } from './word-list.ts';

const fantasy = lines(`
  {role}は{place}で{thing}を{verb}
  追い出された{role}、{place}で{thing}と暮らす
  {thing}と{role}の{number}日間
  {place}の{role}と{thing}の物語
  『{skill}』しか取り柄のない{role}ですが、{place}を任されました
  外れスキル【{skill}】で{place}を立て直します ～{thing}を添えて～
  {person}に拾われた{role}は今日も{thing}を{verb}
  転生したら{place}の{role}でした。とりあえず{thing}を{verb}
  {role}の弟子になった{person}が{thing}を手放さない
  {place}戦記 ―{thing}の章―
  {number}度目の{place}、今度こそ{thing}を{verb}
  {person}、{place}で{role}を始める
`);

const romance = lines(`
  婚約を白紙に戻された{role}は、{place}で{person}に{thing}を贈られる
  {person}様、その{thing}は私のではありません
  {place}へ嫁いだら{person}が{thing}ばかり{verb}
  契約結婚のはずが、{person}は{thing}を手放してくれません
  {role}の私と{person}の{number}通の手紙
  悪役と呼ばれた{role}は{place}で{thing}を{verb}
  {person}の隣で{thing}を数える{season}
  身代わりの{role}ですが、{person}に気に入られて困っています
  {person}は{role}の{thing}に恋をする
`);

const school = lines(`
  {modern}と{topic}の話をした{season}
  {town}で{modern}が{topic}を待っている
  {modern}は{topic}を知らない
  {season}、{town}で{topic}を返してもらう
  {modern}の{topic}が気になって眠れません
  {topic}係の僕と{modern}
  {town}、{topic}、それから{modern}
  拝啓、{modern}。{topic}のことは忘れてください
`);

const quiet = lines(`
  {town}の{topic}
  {season}の{topic}
  {topic}を{number}数えるまで
  {modern}の{topic}
  {town}にて
  {season}、{town}
  {thing}と{topic}
  {animal}のいる{town}
`);

const future = lines(`
  {machine}の{role}
  {number}番目の{machine}より、{topic}を送ります
  {machine}と最後の{topic}
  {place}オンライン ～{role}職で{thing}を集めます～
  {machine}は{animal}の夢を見ない
  {number}光年先の{topic}
  {place}VR記録帳 {skill}極振りの{role}
  {machine}が止まった{season}
`);

const past = lines(`
  {era}、{role}ひとり
  {era}の{thing}
  {era}に生まれ変わった{modern}
  {era}{topic}控え
  {role}、{era}を駆ける
`);

const mystery = lines(`
  {town}の{number}つの謎と{modern}
  {thing}はどこへ消えたか
  {modern}は{topic}を推理する
  {place}殺風景事件簿 {thing}の密室
  {season}、{town}に{thing}が届く
  {topic}の音がする部屋
  {number}人目の{modern}
`);

const tale = lines(`
  {animal}と{thing}
  {animal}の{role}
  {number}匹の{animal}と{thing}
  {season}の{animal}
  {thing}をさがす{animal}
`);

const essay = lines(`
  {topic}についての覚え書き
  {hobby}について
  {town}で書くということ
  {topic}と私の{number}年
  創作の合間の{topic}
`);

/** Forms of titles for each genre code. */
export const TITLE_FORMS: Readonly<Record<number, readonly string[]>> = {
  0: quiet,
  101: romance,
  102: school,
  201: fantasy,
  202: [...school, ...fantasy],
  301: quiet,
  302: [...school, ...quiet],
  303: past,
  304: mystery,
  305: mystery,
  306: [...fantasy, ...past],
  307: [...school, ...romance],
  401: future,
  402: future,
  403: future,
  404: [...mystery, ...future],
  9901: tale,
  9902: quiet,
  9903: essay,
  9904: fantasy,
  9999: [...quiet, ...essay],
  9801: quiet,
};

/** Forms of titles for adult entries: as harmless as the others, of grown-up people only, and of no school. */
export const ADULT_TITLE_FORMS = lines(`
  {grownup}と{thing}の秘めごと
  {season}、{grownup}は鍵をかける
  {place}の夜は{thing}とともに
  {grownup}は{grownup}を帰さない
  {grownup}と{grownup}の{number}夜
  {place}、午前零時の{thing}
  契約の{number}条 ―{grownup}と{grownup}―
  {grownup}の甘い{skill}
`);

/** Added to some titles: the characters that have to survive every escaping on the way. */
export const TITLE_ENDINGS = lines(`
  & {animal}
  <第一部>
  【連載版】
  ～{thing}編～
  "{topic}"
  (仮)
  ――'{name}'の記録――
  ＠{number}周年
  /{season}/
  <短編> & <番外編>
  ☕
  🌙
  𠮷日
`);
