import { ServiceError } from '../errors.ts';
import { createDomainLookUp } from '../registration/look-up/domain-look-up.ts';
import type { LookUpSettings } from '../registration/look-up/domain-look-up.ts';
import type { Hop } from '../registration/look-up/hops.ts';
import { builtInTable } from '../registration/look-up/services.ts';
import { randomLabel } from '../registration/look-up/witnesses.ts';
import type { ResolveHost } from '../registration/net/resolve.ts';
import type { AboutBootstrap } from '../registration/rdap/bootstrap.ts';
import { silentLogger } from '../process/logger.ts';
import { REPORT_IT, broken, checksOf, ok, unanswered, warning } from './check.ts';
import type { Check, Finding, Need, Row } from './check.ts';
import { createPace } from './pace.ts';
import type { PaceParts } from './pace.ts';
import { same, text } from '../process/text.ts';

/** Registered names of registries. */
export const PROBED = `
  verisign.com internic.net pir.org nic.info get.app jprs.jp nominet.uk denic.de afnic.fr sidn.nl eurid.eu nic.ch
  nic.at nic.it internetstiftelsen.se norid.no punktum.dk dns.pl nic.br cira.ca`
  .trim()
  .split(/\s+/);

/** Number of look-ups: a registered and a random name each. */
export const LOOK_UPS = 2 * PROBED.length;

interface RegistriesParts extends PaceParts {
  readonly settings: LookUpSettings;
  readonly resolve: ResolveHost;
  readonly random: () => number;
  readonly signal: AbortSignal;
  readonly network: Need;
}

interface Result {
  readonly state: 'registered' | 'not_registered' | 'reserved' | 'unreadable' | 'unanswered';
  /** The protocol of a definite answer, else the reason. */
  readonly detail: string;
  readonly hops: readonly Hop[];
}

/** Temporary failures, which prove nothing about how a registry is read. */
const TEMPORARY = new Set(['registry_rate_limited', 'registry_timeout', 'registry_unavailable']);

/** Outcomes of servers that sent nothing to read. */
const UNANSWERED = new Set<Hop['outcome']>(['timeout', 'unreachable', 'forbidden_address', 'paused', 'busy']);

/** The result of a failed look-up. Texts of registries may name persons and are not reported. */
function readFailure(error: unknown): Result {
  if (!(error instanceof ServiceError)) throw error;
  const { hops = [], protocol = '' } = (error.details ?? {}) as { hops?: readonly Hop[]; protocol?: string };
  if (error.code === 'not_registered') return { state: 'not_registered', detail: protocol, hops };
  const last = hops.at(-1);
  const detail = last ? `${error.code}: ${last.role} ${last.outcome}` : error.code;
  const isUnread = hops.some(({ outcome }) => outcome === 'broken' || outcome === 'bad_answer');
  const isAnswered = hops.some(({ outcome }) => !UNANSWERED.has(outcome));
  const isRead = isUnread || (isAnswered && !TEMPORARY.has(error.code));
  return { state: isRead ? 'unreadable' : 'unanswered', detail, hops };
}

/** The worse result of two look-ups at a registry. */
function judgePair(registered: Result, free: Result): Finding {
  const states = `${registered.state}, ${free.state}`;
  if (states === 'registered, not_registered') {
    const { detail } = registered;
    return ok(text(`registered and not registered, over ${detail}`, `登録済み・未登録（${detail}）`));
  }
  // Neither the name of a registry nor a random one is reserved.
  if (/^(?:not_registered|reserved),|, (?:registered|reserved)$/.test(states)) {
    return broken(
      text(`a name is parsed incorrectly: ${states}`, `誤って解析しています: ${states}`),
      REPORT_IT,
    );
  }
  const failed = [registered, free].filter(({ state }) => state.startsWith('un'));
  const message = same(`${states} (${failed.map(({ detail }) => detail).join('; ')})`);
  if (states.includes('unreadable')) return broken(message, REPORT_IT);
  const advice = text(
    'The registry may limit this address, or a firewall port 43. Try again later.',
    'レジストリの制限か、43 番ポートの遮断かもしれません。あとでもう一度。',
  );
  return unanswered(warning(message, advice));
}

/** After this many registries in a row without an answer the others are not queried. */
const MAX_UNANSWERED = 5;

/** The root's referral in a look-up: a WHOIS server, null for none; undefined if it is not known. */
function referralIn(hops: readonly Hop[]): string | null | undefined {
  const root = hops.find(({ role }) => role === 'root');
  const registry = hops.find(({ role, protocol }) => role === 'registry' && protocol === 'whois');
  if (root?.outcome === 'no_referral') return null;
  return root?.outcome === 'referral' ? registry?.server : undefined;
}

function judgeReferrals(referrals: ReadonlyMap<string, string | null>): Finding {
  const { rootWhoisOf, rootZoneDate: date } = builtInTable;
  if (referrals.size === 0) {
    const advice = text(
      'Is port 43 open to whois.iana.org?',
      'whois.iana.org の 43 番ポートへ出られますか。',
    );
    return unanswered(broken(text('the root does not respond', 'ルートが応答しません'), advice));
  }
  const zones = [...referrals].filter(([tld, server]) => (rootWhoisOf(tld) ?? null) !== server);
  if (zones.length === 0) {
    return ok(
      text(
        `all ${referrals.size} queried zones match the table of ${date}`,
        `${date} の一覧は、確認した ${referrals.size} 件すべてで一致します`,
      ),
    );
  }
  const listed = zones.map(([tld]) => tld).join(' ');
  return warning(
    text(`the table of ${date} is outdated for ${listed}`, `${date} の一覧は古くなっています: ${listed}`),
    text(
      'Update mokuroku. The root is queried first in any case.',
      'mokuroku を更新してください。いずれの場合も、まずルートに問い合わせます。',
    ),
  );
}

function judgeBootstrap({ source, publication }: AboutBootstrap): Finding {
  if (source !== 'bundled') return ok(same(`${source}, ${publication.slice(0, 10)}`));
  const advice = text(
    'Look-ups use the bundled one. Can this machine fetch RDAP_BOOTSTRAP?',
    '同梱のものを使います。このマシンから RDAP_BOOTSTRAP を取得できますか。',
  );
  return unanswered(warning(text('it cannot be fetched', '取得できません'), advice));
}

/** The root and the registries as the service queries them, one look-up a second. */
export function openRegistries(parts: RegistriesParts): { checks: Check[]; close: () => void } {
  const { settings, clock, resolve, random, signal, network } = parts;
  const lookUps = createDomainLookUp(settings, { clock, log: silentLogger(), resolve, random });
  const atPace = createPace(parts);
  const answers: Need = {};
  const referrals = new Map<string, string | null>();
  let unansweredInRow = 0;

  const lookUp = (name: string): Promise<Result> =>
    atPace(() => lookUps.lookUp(lookUps.readName(name), 'registry', { signal })).then(
      ({ state, protocol, hops }) => ({ state, detail: protocol, hops }),
      readFailure,
    );

  const registry = (registered: string): Row => {
    const tld = registered.slice(registered.lastIndexOf('.') + 1);
    // Nothing is registered directly below .br.
    const zone = tld === 'br' ? 'com.br' : tld;
    return {
      id: `registry-${tld}`,
      needs: [answers],
      title: text(`.${tld}: a registered and a random name`, `.${tld}: 登録済みの名前とランダムな名前`),
      run: async () => {
        const first = await lookUp(registered);
        const finding = judgePair(first, await lookUp(`${randomLabel(random)}.${zone}`));
        const referral = referralIn(first.hops);
        if (referral !== undefined) referrals.set(tld, referral);
        unansweredInRow = finding.isUnanswered ? unansweredInRow + 1 : 0;
        if (unansweredInRow >= MAX_UNANSWERED) {
          answers.missing = text('the registries do not respond', 'レジストリから応答がありません');
        }
        return finding;
      },
    };
  };

  // Last: the look-ups have caused the fetch of the bootstrap, and the referrals.
  const tables: Row[] = [
    {
      id: 'bootstrap',
      title: text('RDAP bootstrap', 'RDAP ブートストラップ'),
      run: () => judgeBootstrap(lookUps.about().rdapBootstrap),
    },
    {
      id: 'root-zone',
      title: text('Bundled WHOIS servers compared with the root', '同梱の WHOIS サーバー一覧とルートの応答'),
      run: () => judgeReferrals(referrals),
    },
  ];
  const checks = checksOf('registries', [network], [...PROBED.map(registry), ...tables]);
  return { checks, close: lookUps.stop };
}
