import { existsSync } from 'node:fs';
import fs from 'node:fs/promises';
import net from 'node:net';
import path from 'node:path';
import { listenFault } from '../../process/listen-fault.ts';
import { withSignal } from '../../process/with-signal.ts';
import type { ResolveHost } from '../../registration/net/resolve.ts';
import { broken, ok, warning } from '../check.ts';
import type { Need, Row } from '../check.ts';
import { same, text } from '../../process/text.ts';

/** `engines` of package.json. */
export const MIN_NODE = '20.19';

export const nodeCheck = (version: string): Row => ({
  id: 'node',
  title: same('Node.js'),
  run: () => {
    if (version.localeCompare(MIN_NODE, 'en', { numeric: true }) < 0) {
      return broken(
        same(version),
        text(`Install Node ${MIN_NODE} or later.`, `Node ${MIN_NODE} 以降を入れてください。`),
      );
    }
    if (Number(version.split('.')[0]) % 2 === 0) return ok(same(version));
    return warning(
      same(version),
      text(
        'Install an even version: this one is not maintained for long.',
        '偶数の版を入れてください。奇数の版は長く保守されません。',
      ),
    );
  },
});

interface SettingFaults {
  /** Names only: the values may be personal. */
  readonly unreadable: readonly string[];
  /** Unused variables whose name resembles a setting, with that setting. */
  readonly misspelled: readonly string[];
  /** HOST belongs to another program. */
  readonly hasForeignHost: boolean;
  /** The User-Agent for the novel site has no contact address. */
  readonly lacksContact: boolean;
}

export const settingsCheck = ({ hasForeignHost, lacksContact, ...names }: SettingFaults): Row => ({
  id: 'settings',
  title: text('Settings', '設定'),
  run: () => {
    const [unreadable, misspelled] = [names.unreadable.join(', '), names.misspelled.join(', ')];
    if (unreadable !== '') {
      return broken(
        text(`cannot be read: ${unreadable}`, `読めません: ${unreadable}`),
        text(
          '`mokuroku serve` prints the allowed values; docs/configuration.md lists all settings.',
          '正しい形は `mokuroku serve` が示します。一覧は docs/configuration.md に。',
        ),
      );
    }
    if (misspelled !== '') {
      return warning(
        text(`without effect: ${misspelled}`, `効かないもの: ${misspelled}`),
        text('Correct or remove them.', '直すか、消してください。'),
      );
    }
    if (hasForeignHost) {
      return warning(
        text('HOST is not an address of this machine', 'HOST はこの機械のアドレスではありません'),
        text('Set MOKUROKU_HOST to choose the address.', 'アドレスは MOKUROKU_HOST で選べます。'),
      );
    }
    if (!lacksContact) return ok(text('all are valid', 'すべて読めます'));
    return warning(
      text('NAROU_CONTACT is not set', 'NAROU_CONTACT がありません'),
      text(
        'Set it to an address where you can be reached: the novel site may refuse you otherwise.',
        '連絡のつく先を入れてください。ないと断られることがあります。',
      ),
    );
  },
});

interface PortSetting {
  readonly name: string;
  readonly host: string;
  readonly port: number;
}

/** Texts of our services, by path. */
const OURS = {
  '/openapi.json': /"(?:Novel Catalogue Query|Domain Registration Lookup) API"/,
  '/metrics': /^# HELP mokuroku_/m,
};
const IDENTIFY_WITHIN_MS = 2_000;

/** Whether mokuroku listens there. Rejects if nothing responds in time. */
async function isOurs({ host, port }: PortSetting, signal: AbortSignal): Promise<boolean> {
  const reached = { '0.0.0.0': '127.0.0.1', '::': '[::1]' }[host] ?? (net.isIPv6(host) ? `[${host}]` : host);
  for (const [page, text] of Object.entries(OURS)) {
    const url = `http://${reached}:${port}${page}`;
    const body = fetch(url, { signal, redirect: 'error' }).then((response) => response.text());
    if (text.test(await body.catch(() => ''))) return true;
    signal.throwIfAborted();
  }
  return false;
}

export const portCheck = (setting: PortSetting): Row => ({
  id: `port-${setting.name.toLowerCase().replace(/_port$/, '')}`,
  title: same(`${setting.name}=${setting.port}`),
  run: async (signal) => {
    const { name, port } = setting;
    if (port === 0) return ok(text('any free one', '空いているどれか'));
    const fault = await listenFault(setting);
    if (fault === undefined) return ok(text('free', '空いています'));
    const advice = text(`Set ${name} or MOKUROKU_HOST.`, `${name} か MOKUROKU_HOST を変えてください。`);
    if (fault !== 'EADDRINUSE') {
      return broken(text(`it cannot be listened on (${fault})`, `待ち受けられません（${fault}）`), advice);
    }
    const either = AbortSignal.any([signal, AbortSignal.timeout(IDENTIFY_WITHIN_MS)]);
    const isOwn = await isOurs(setting, either).catch(() => undefined);
    if (isOwn) return ok(text('in use by mokuroku', 'mokuroku が使っています'));
    return broken(
      isOwn === undefined
        ? text('in use, and does not respond', '使用中ですが、応答がありません')
        : text('in use by another program', '他のプログラムが使っています'),
      advice,
    );
  },
});

/** The existing parent in which a missing folder would be created. */
function existingPart(folder: string): string {
  const above = path.dirname(folder);
  return existsSync(folder) || above === folder ? folder : existingPart(above);
}

const inGigabytes = (bytes: number): string => (bytes / 1e9).toFixed(1);

/** A folder that is written to is created if missing. */
export const folderCheck = (name: string, given: string, isWritten: boolean, neededBytes: number): Row => ({
  id: `folder-${name.toLowerCase().replace(/_dir$/, '')}`,
  title: same(name),
  run: async () => {
    const folder = isWritten ? existingPart(path.resolve(given)) : given;
    const mode = fs.constants.R_OK | (isWritten ? fs.constants.W_OK : 0);
    // With a separator at its end, a file is no folder. Its path is not named: it may be personal.
    const fault = await fs.access(folder + path.sep, mode).then(
      () => undefined,
      (error: unknown) => (error as NodeJS.ErrnoException).code ?? 'unknown',
    );
    if (fault !== undefined) {
      return broken(
        text(`it cannot be used (${fault})`, `使えません（${fault}）`),
        text(
          `Make the folder of ${name}, with rights for this user.`,
          `${name} のフォルダを、このユーザの権限で作ってください。`,
        ),
      );
    }
    const { bavail, bsize } = await fs.statfs(folder);
    const [free, required] = [inGigabytes(bavail * bsize), inGigabytes(neededBytes)];
    const message = text(`${free} GB are free`, `空き ${free} GB`);
    if (bavail * bsize >= neededBytes) return ok(message);
    return warning(
      message,
      text(
        `Free disk space: up to ${required} GB may be needed.`,
        `${required} GB ほど要ることがあります。空けてください。`,
      ),
    );
  },
});

/** `hosts`: those that --live connects to first. If none has an address, the network is missing. */
export const namesCheck = (
  hosts: readonly string[],
  { isLive, resolve, network }: { isLive: boolean; resolve: ResolveHost; network: Need },
): Row => ({
  id: 'dns',
  title: text('Names of servers', 'サーバー名'),
  run: async (signal) => {
    const names = hosts.filter((host) => net.isIP(host) === 0);
    if (names.length === 0) return ok(text('none needed', '確認対象の名前はありません'));
    const addresses = await Promise.all(
      names.map((host) => withSignal(resolve(host), signal).catch(() => [])),
    );
    const missing = names.filter((_, index) => addresses[index]?.length === 0);
    if (missing.length === 0) {
      return ok(text(`all ${names.length} have addresses`, `${names.length} 件すべてにアドレスがあります`));
    }
    if (missing.length === hosts.length) {
      network.missing = text(
        'no network: no address of a server was found',
        'ネットワークに接続できません（サーバーのアドレスが見つかりません）',
      );
    }
    return (isLive ? broken : warning)(
      text(`no address found: ${missing.join(', ')}`, `名前解決できません: ${missing.join(', ')}`),
      text(
        'Check the network and the DNS servers of this machine. The sample needs none; --live does.',
        'ネットワークと DNS の設定を確かめてください。サンプルには不要ですが、--live には必要です。',
      ),
    );
  },
});
