import { lines } from './word-list.ts';

/** First sentences of synopses of novels set elsewhere or in another time. */
export const OPENINGS_ELSEWHERE = lines(`
  {place}で{role}として働く{name}の楽しみは、{hobby}だった。
  {person}である{name}は、ある日{thing}を拾う。
  「あなたに{thing}を預けたいのです」　{place}を訪れた{person}は、{name}にそう告げた。
  前の世界で{modern}だった{name}は、気がつくと{place}に立っていた。
  {place}には、{number}年に一度だけ{thing}が流れ着く。
  役立たずと呼ばれ続けたスキル『{skill}』。その本当の使い道を、{name}だけが知っている。
  婚約者に「{role}など我が家にふさわしくない」と言い渡された{name}は、むしろほっとしていた。
  {person}が{place}へやって来たのは、{season}のことだった。
  世界の端にある{place}。そこでは誰もが{thing}をひとつ持って生まれてくる。
  {name}は{number}回目の人生でようやく{role}になれた。
`);

/** First sentences of synopses of novels set here and now. */
export const OPENINGS_HERE = lines(`
  {season}、{town}で{modern}と出会った。
  {modern}はいつも{topic}のことを考えている。
  {town}に引っ越してきた僕は、{topic}をなくしてしまう。
  「{topic}、返してもらえますか」　声をかけてきたのは{modern}だった。
  {name}の趣味は、{hobby}。それを知っているのは{modern}だけだ。
  {town}が取り壊されるまで、あと{number}日。
  {modern}から届いた{topic}には、差出人の名前がなかった。
  夏の終わり、{topic}を片付けていたら{thing}が出てきた。
`);

export const MIDDLES = lines(`
  ところが{thing}は、夜になると{name}にだけ話しかけてくる。
  頼れるのは{skill}の腕と、少しばかりの勇気だけ。
  {person}と{role}、そして{animal}が一匹。奇妙な同居生活が始まる。
  けれど{place}には、誰にも言えない秘密があった。
  気がつけば、周りには放っておけない人たちが集まっていた。
  その日から、{name}の静かな毎日は少しずつ騒がしくなっていく。
  手がかりは{thing}と、{number}行の走り書き。
  「これ、{thing}じゃないですか？」「いいえ、{topic}です」
  誰も傷つかない嘘を、{name}は{number}年つき続けている。
  空を見上げれば、今日も{machine}が横切っていく。
  {animal}の鳴く夜には、決して{place}へ近づいてはならない。
  {season}までに見つけなければ、{thing}は消えてしまう。
`);

export const ENDINGS = lines(`
  これは、{role}が{thing}を見つけるまでの物語。
  {place}の片隅から始まる、やさしい冒険譚。
  笑って泣ける、ちょっと不思議な{topic}の話。
  すれ違うふたりの、{number}日間の記録。
  ――そして{name}は、{place}の扉を開けた。
  ほのぼの時々しんみり。一話完結でどこからでも読めます。
  派手な戦いはありません。のんびりお付き合いください。
  {season}から始まる、ゆっくりした物語です。
`);

/** What authors write under a synopsis. */
export const NOTES = lines(`
  ※毎朝七時に更新します。
  ※この作品は自サイトにも掲載しています。
  ※誤字報告ありがとうございます！
  第一部完結しました。
  感想・評価をいただけると励みになります。
  全{number}話、書き上げ済みです。
  ★{season}より第二章を始めます★
  登場する団体・人物はすべて架空のものです。
  <お知らせ> 題名を変えました & 一話目を書き直しました。
  「{thing}」企画参加作品です。
`);

/** Sentences for adult entries: metadata only, nothing explicit, of grown-up people only, and of no school. */
export const ADULT_OPENINGS = lines(`
  {grownup}と{grownup}。互いに名前も知らないまま、{season}の一夜を同じ宿で過ごすことになった。
  {place}の夜会で、{grownup}は{grownup}から{thing}を手渡される。
  {place}の酒場の常連になった{grownup}は、{grownup}の本当の仕事を知る。
  契約は{number}日間。そのあいだだけ、{grownup}は{grownup}の恋人を演じる。
  二十年ぶりに再会したふたりは、{place}で杯を交わす。
`);

export const ADULT_MIDDLES = lines(`
  けれど{place}には、誰にも言えない秘密があった。
  手がかりは{thing}と、{number}行の走り書き。
  頼れるのは{skill}の腕と、少しばかりの勇気だけ。
  誰も傷つかない嘘を、ふたりは{number}年つき続けている。
  {season}までに返さなければ、{thing}は消えてしまう。
  気がつけば、季節がひとつ過ぎていた。
`);

export const ADULT_ENDINGS = lines(`
  大人になってからの、遅い恋の話。
  すれ違うふたりの、{number}日間の記録。
  {place}の片隅から始まる、静かな恋愛譚。
  {season}から始まる、ゆっくりした物語です。
`);
