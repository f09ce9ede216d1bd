import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const root = path.resolve(import.meta.dirname, '../..');

export interface Ended {
  code: number | null;
  out: string;
  err: string;
}

/** A folder in which the published packages and those of our own tests can be imported by name. */
export interface SampleProject {
  folder: string;
  write: (name: string, text: string) => string;
  run: (command: string, args: readonly string[]) => Promise<Ended>;
  remove: () => void;
}

/** Needs the dist/ folders of the packages. */
export function makeSampleProject(): SampleProject {
  mkdirSync(path.join(root, '.cache'), { recursive: true });
  // Below the root, so that packages of the tests are found in its node_modules.
  const folder = mkdtempSync(path.join(root, '.cache/samples-'));
  mkdirSync(path.join(folder, 'node_modules'));
  symlinkSync(path.join(root, 'packages/mokuroku'), path.join(folder, 'node_modules/mokuroku'));
  symlinkSync(path.join(root, 'packages/client'), path.join(folder, 'node_modules/mokuroku-client'));
  symlinkSync(path.join(root, 'packages/whois'), path.join(folder, 'node_modules/mokuroku-whois'));
  return {
    folder,
    write: (name, text) => {
      const file = path.join(folder, name);
      writeFileSync(file, text);
      return file;
    },
    run: (command, args) =>
      new Promise((resolve, reject) => {
        const child = spawn(command, args, { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] });
        let [out, err] = ['', ''];
        child.stdout.setEncoding('utf8').on('data', (text: string) => (out += text));
        child.stderr.setEncoding('utf8').on('data', (text: string) => (err += text));
        child.once('error', reject);
        child.once('close', (code) => {
          resolve({ code, out, err });
        });
      }),
    remove: () => {
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Text between fences of a language, in the order of the page. */
export function blocksOf(page: string, language: string): string[] {
  return [...page.matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\`$`, 'gm'))].map(
    ([, text = '']) => text,
  );
}
