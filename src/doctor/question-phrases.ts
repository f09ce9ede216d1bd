/** Texts of the open points of the novel site and their consequences, with their Japanese. */
export const QUESTION_PHRASES = {
  'Is the site under maintenance, and how does it report that?': 'メンテナンス中か、それをどう伝えるか',
  'Which HTTP status does a plain-text error have?': '文字だけのエラーの HTTP ステータス',
  'Is a plain-text error a gzip file when gzip is requested?':
    'gzip を頼んだとき、文字だけのエラーも gzip か',
  'Which Content-Type does a gzip file have?': 'gzip ファイルの Content-Type',
  'Which Content-Type does JSON have?': 'JSON の Content-Type',
  'Which Content-Type does a plain-text error have?': '文字だけのエラーの Content-Type',
  'Which Content-Type does YAML have?': 'YAML の Content-Type',
  'Which Content-Type does JSONP have?': 'JSONP の Content-Type',
  'Which Content-Type does serialized PHP have?': 'PHP の serialize の Content-Type',
  'Which Content-Type does Atom have?': 'Atom の Content-Type',
  'What does out=xml give, a format that does not exist?': 'ない形式 out=xml への返事',
  'What does JSONP give without a valid callback?': '正しい callback のない JSONP への返事',
  'What does lim=501 give?': 'lim=501 への返事',
  'What does lim=0 give?': 'lim=0 への返事',
  'What does st=0 give?': 'st=0 への返事',
  'What does st=2001 give?': 'st=2001 への返事',
  'What does lim=3x give, which is no number?': '数でない lim=3x への返事',
  'What does genre=abc give, a filter without sense?': '意味のない条件 genre=abc への返事',
  'What does an unknown order give?': '知らない order への返事',
  'What does `of` give without a single known code?': '知っている項目が一つもない of への返事',
  'In which order do the keys of a record come when `of` is given?': 'of があるとき、項目の並ぶ順',
  'Where does weekly_unique stand in a record?': 'weekly_unique の位置',
  'Does the undocumented filter firstup work?': 'マニュアルにない条件 firstup は効くか',
  'Does allcount differ from page to page?': 'allcount はページごとに違うか',
  'Is a list of 500 Ncodes, a URL of 4 kB, accepted?': 'Nコード 500 個、4 kB の URL は通るか',
  'What does userid, a filter of novelapi alone, do at novel18api?':
    'novelapi だけの条件 userid は novel18api で効くか',
  'What does the ranking of a day to come give?': 'まだない日のランキングへの返事',
  'What does a ranking before May 2013 give?': '2013年5月より前のランキングへの返事',
  "Is today's ranking there, made between 04:00 and 07:00 in Japan?":
    '今日（4〜7時に作られる）のランキングはあるか',
  'What does the history of a novel that never ranked give?': 'ランクインしたことのない作品の履歴への返事',
  'What does the history of no novel give?': 'ない作品の履歴への返事',
  'What does a search for users without a match return?': '誰も見つからないユーザ検索への返事',
  'What is name1st of a user whose furigana does not begin with kana?':
    'フリガナが仮名で始まらないユーザの name1st',

  'Try again later. Report how the site announces it.':
    '後でもう一度実行し、サイトがどう告知しているかを報告してください。',
  'Errors of the site are not understood. Report it.': 'エラーを解析できません。報告してください。',
  'opt=weekly of the service has no effect. Report it.': 'opt=weekly が無効です。報告してください。',
  'The filter firstup of the service has no effect. Report it.':
    '条件 firstup が無効です。報告してください。',
  'Rankings cannot be given with their novels. Report it.':
    'ランキングに作品を付けられません。報告してください。',
  'Histories of such novels fail. Report it.': 'そのような作品の履歴がエラーになります。報告してください。',
  'Histories of novels that do not exist fail instead of being absent. Report it.':
    '存在しない作品の履歴が「存在しない」ではなくエラーになります。報告してください。',
  'Users that do not exist fail instead of being absent. Report it.':
    '存在しないユーザーが「存在しない」ではなくエラーになります。報告してください。',
  "Today's rankings are late: the service responds that they are not published.":
    '今日のランキングが遅れています。未公開として応答します。',
  'Report it: responses may be wrong.': '報告してください。応答が誤っている可能性があります。',
  'The client reads both. Report it, so that the sample can be adapted.':
    'どちらも解析できます。サンプルを修正するため、報告してください。',
} as const;
