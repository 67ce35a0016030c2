// What is a pack, and which pack a file belongs to. The same test as the linter's: two of manifest.json, agents.md and
// memory/, or a manifest with a member only packs have.
import * as vscode from 'vscode';

const exclude = '{**/node_modules/**,**/.git/**}';
// A bound on the search in a large workspace that holds many manifests of other kinds; a pack beyond it is found when one
// of its files is opened.
const searchLimit = 200;

async function exists(uri: vscode.Uri): Promise<boolean> {
  try {
    await vscode.workspace.fs.stat(uri);
    return true;
  } catch {
    return false;
  }
}

/** Reads a manifest; undefined when there is none or it is no JSON object. */
export async function readManifest(folder: vscode.Uri): Promise<Record<string, unknown> | undefined> {
  try {
    const bytes = await vscode.workspace.fs.readFile(vscode.Uri.joinPath(folder, 'manifest.json'));
    const value: unknown = JSON.parse(new TextDecoder().decode(bytes));
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}

export async function isPack(folder: vscode.Uri): Promise<boolean> {
  const parts = await Promise.all(['manifest.json', 'agents.md', 'memory'].map((n) => exists(vscode.Uri.joinPath(folder, n))));
  if (parts.filter(Boolean).length >= 2) return true;
  if (!parts[0]) return false;
  const manifest = await readManifest(folder);
  return manifest !== undefined && ['layout', 'capability_files', 'primitive_format'].some((m) => m in manifest);
}

/** The folder that would be the pack of a file, by the file's place alone; undefined when its place is in no pack. */
export function packFolder(uri: vscode.Uri): vscode.Uri | undefined {
  const parts = uri.path.split('/');
  const name = parts.at(-1);
  const parent = parts.at(-2);
  if (name === 'manifest.json' || name === 'agents.md') return vscode.Uri.joinPath(uri, '..');
  if (parent === 'memory' && name?.endsWith('.md')) return vscode.Uri.joinPath(uri, '..', '..');
  return undefined;
}

/** The pack of a file, checked on disk. */
export async function packOf(uri: vscode.Uri | undefined): Promise<vscode.Uri | undefined> {
  const folder = uri && packFolder(uri);
  return folder && (await isPack(folder)) ? folder : undefined;
}

/** The packs of the workspace, the nearest folders first, up to a limit. */
export async function findPacks(limit: number): Promise<vscode.Uri[]> {
  const found = new Map<string, vscode.Uri>();
  for (const glob of ['**/agents.md', '**/manifest.json', '**/memory/*.md']) {
    const files = await vscode.workspace.findFiles(glob, exclude, searchLimit);
    files.sort((a, b) => a.path.split('/').length - b.path.split('/').length || a.path.localeCompare(b.path));
    for (const file of files) {
      const folder = packFolder(file);
      if (!folder || found.has(folder.toString())) continue;
      if (await isPack(folder)) found.set(folder.toString(), folder);
      if (found.size >= limit) return [...found.values()];
    }
  }
  return [...found.values()];
}
