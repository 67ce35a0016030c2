// Where the server and the linter are: the setting, PATH, the copy inside the extension, in this order.
import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import * as vscode from 'vscode';

export type Origin = 'setting' | 'path' | 'bundled';

export interface Program {
  command: string;
  origin: Origin;
}

const suffix = process.platform === 'win32' ? '.exe' : '';

function isExecutable(file: string): boolean {
  try {
    fs.accessSync(file, fs.constants.X_OK);
    return fs.statSync(file).isFile();
  } catch {
    return false;
  }
}

function expand(value: string): string {
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? '';
  const home = value === '~' || value.startsWith('~/') ? path.join(os.homedir(), value.slice(1)) : value;
  return home.replace(/\$\{workspaceFolder\}/g, folder);
}

function onPath(name: string): string | undefined {
  for (const dir of (process.env['PATH'] ?? '').split(path.delimiter)) {
    // A relative entry would let an opened folder choose the program.
    if (!path.isAbsolute(dir)) continue;
    const file = path.join(dir, name + suffix);
    if (isExecutable(file)) return file;
  }
  return undefined;
}

/** Thrown when a program is nowhere, or not where the settings say; the message is for the user. */
export class NotFound extends Error {}

/** Finds amp-lsp or amp-lint. Throws NotFound. */
export function findProgram(name: 'amp-lsp' | 'amp-lint', setting: string, extensionPath: string): Program {
  if (setting.trim() !== '') {
    const command = expand(setting.trim());
    const found = path.isAbsolute(command) ? command : onPath(command);
    if (found !== undefined && isExecutable(found)) return { command: found, origin: 'setting' };
    throw new NotFound(`${name} is set to '${command}' in the settings, but that is no program that can be run.`);
  }
  const installed = onPath(name);
  if (installed !== undefined) return { command: installed, origin: 'path' };
  const bundled = path.join(extensionPath, 'bin', name + suffix);
  if (isExecutable(bundled)) return { command: bundled, origin: 'bundled' };
  throw new NotFound(`${name} was not found: it is neither on PATH nor part of this build of the extension.`);
}

/** Whether two versions may speak past each other: a different major or, before 1.0, a different minor number. */
export function differs(a: string, b: string): boolean {
  const numbers = (v: string) => /(\d+)\.(\d+)/.exec(v)?.slice(1).map(Number);
  const x = numbers(a);
  const y = numbers(b);
  if (!x || !y) return false;
  return x[0] !== y[0] || (x[0] === 0 && x[1] !== y[1]);
}
