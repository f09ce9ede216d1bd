import { AROUND, DENIAL, EXCUSE, FILLER, GONE, MACHINERY, SUBJECT, UNSPACED_DENIAL } from './denial-words.ts';
import { plainLabel } from './label-table.ts';
import { looksLikeName, saysNothing } from './no-value.ts';
import { readStatement } from './statements.ts';
import { GENERAL_LABELS } from './vocabulary.ts';

/*
 * Where a registrar or a holder is all that is told of a name, its value must be somebody's: it is no word of status,
 * no sentence, and not made of words alone that programs and pages say to whoever reads them.
 */

/** Whom a page speaks to, and what it speaks of: no name has it. */
const SENTENCE =
  /(?<![\p{L}\d.-])(?:here|please|yours?|you(?! xian)|this|these|below|above|is|are|was|were|cannot|aquí|aqui|hier|bitte|siehe|s'il|clic|cliquez|clique|klik|tıkla\p{L}*|здесь)(?![\p{L}\d]|[.-]\p{L})|^\P{L}*[^:=([]{1,40}(?:: | = )|を|ください|ました|ません|请|請|点击|點擊|니다|세요/u;

/** What pages offer and ask for, and what programs say of their trouble. */
const ORDINARY = new Set(
  `a an the of in on at by to for from with and or no not it us our we do has have such its own same all some any one
  out up off under over before after again only now soon more less next back than click tap press touch push select
  choose open show shown view see look read learn find visit go get enter log login logon logged sign signed
  register accept enable order buy make ask use follow download continue contact call sale sales sell selling sold
  offer offers offered price priced auction bid best welcome listed premium parked parking coming construction
  interested website site page pages line part step row item items details detail info information help hidden
  masked withheld policy request requested required given displayed published missing nothing empty value reset lost
  closed aborted broken pipe peer failed fails failure error errors fault faulty unexpected end input output
  segmentation memory stack overflow bad gateway invalid unreachable route syntax parse parsing write expired
  overload overloaded incomplete cancelled canceled permitted operation busy disk full allocate permission problem
  problems maintenance truncated pointer undefined variable unhandled unknown exception assertion rejection rejected
  promise results result null http ok captcha javascript cookies terms handshake down timeout timed internal fatal
  warning debug trace interrupted stopped killed terminated exceeded response answer reply query queries existent
  done success queued fetching redirecting processing ready lookup data domain name registry internet network vendre
  vente voir plus moins ci dessous erreur lecture connexion interrompue perdue refusé accès verkaufen verkauf steht
  zum zu mehr auf beim laden anfrage anzeigen unten oben fehler verbindungsfehler unterbrochen anmelden keine angabe
  venta vende ver más abajo arriba error errores conexión perdida inicie sesión sin datos haga de en se vendita vedi
  mostra più altro clicca qui errore rete connessione interrotta accedi di venda mais abaixo erro conexão à koop te
  meer informatie inloggen vereist fout sprzedaż na kliknij tutaj błąd połączenia więcej zaloguj się продается
  продаётся нажмите ошибка чтения соединения показать ещё войдите в систему сброшено satılık hata giriş yapın
  bağlantı koptu`
    .split(/\s+/)
    .map((word) => word.normalize('NFC')),
);
/** The same in scripts that put no blanks between words. */
const UNSPACED_ORDINARY =
  /販売|切断|断开|斷開|売り?出|エラー|もっと|詳細|出售|待售|错误|錯誤|更多|稍候|稍后|판매|오류|로그인|자세히|[中중]\P{L}*$/u;

/** What makes a value a statement. */
const SAID = [DENIAL, UNSPACED_DENIAL, EXCUSE, GONE, SENTENCE, UNSPACED_ORDINARY];

const WORD = /[\p{L}\p{M}\d]*\p{L}[\p{L}\p{M}\d]*/gu;
/** `Connection reset`: only the first word begins as a name does. */
const LOWER_BEHIND_FIRST = /^\P{L}*\p{Lu}\p{Ll}*(?:[,.:;]?\s+[\p{Ll}'’-]+)+[^\p{L}\d]*$/u;
/** `This domain is registered directly with Nominet.` (.uk, 2018) */
const REGISTRY_ITSELF = /(?:directly registered|registered directly) with/;
/** A legal form, or one letter: `Kamome srl`, `Registrar B`. */
const ENDS_AS_NAMES =
  /[\s,](?:ab|ag|as|bv|co|corp|doo|gmbh|inc|kft|kk|llc|ltd|nv|oy|plc|sas?|sarl|spa|srl|sro|\p{L})[^\p{L}\d]*$/iu;

/** Whether a value, where it is all that is told of `domain`, names somebody. */
export function isSomebody(value: string | null, domain: string | null): boolean {
  if (value === null || !looksLikeName(value) || saysNothing(value)) return false;
  const words = value.toLowerCase().normalize('NFC');
  if (domain !== null && words !== domain && words.includes(domain)) return false;
  if (REGISTRY_ITSELF.test(words)) return true;
  if (SAID.some((pattern) => pattern.test(words)) || readStatement(words, null) !== null) return false;
  return ENDS_AS_NAMES.test(value) || !(LOWER_BEHIND_FIRST.test(value) || isOrdinary(words));
}

function isOrdinary(words: string): boolean {
  const known = words.split(MACHINERY).join(' ').split(SUBJECT).join(' ');
  const rest = words.includes(' ') ? known.replace(AROUND, ' ').replace(FILLER, ' ') : known;
  const left = rest.match(WORD) ?? [];
  return left.every((word) => ORDINARY.has(word) || GENERAL_LABELS.knows(plainLabel(word)));
}
