import * as vscode from 'vscode';
import type { Session } from './session';

const namePattern = /^[a-z0-9][a-z0-9-]{0,63}$/;

async function chooseParent(): Promise<vscode.Uri | undefined> {
  const folders = vscode.workspace.workspaceFolders ?? [];
  if (folders.length === 1) return folders[0]!.uri;
  if (folders.length > 1) return (await vscode.window.showWorkspaceFolderPick({ placeHolder: 'Where should the pack go?' }))?.uri;
  const picked = await vscode.window.showOpenDialog({ canSelectFolders: true, canSelectFiles: false, openLabel: 'Create Pack Here' });
  return picked?.[0];
}

function today(): string {
  return new Date().toISOString().slice(0, 10);
}

/** The files of a new pack by their path in it. What they hold passes the linter. */
export function template(name: string, title: string): Record<string, string> {
  const manifest = {
    name,
    title,
    version: { number: 1 },
    layout: 'semantic-cluster',
    primitive_format: 'inline-tag-v0.4',
    created: today(),
    sources: [],
    agents_file: 'agents.md',
    agents: ['claude-code'],
    capability_files: ['operating-principles.md'],
    primitive_counts: { goal: 1, claim: 0, directive: 1, demonstration: 0, dropped_action_log: 0, dropped_duplicate: 0 },
    signed: false,
    signature: '',
  };
  return {
    'manifest.json': `${JSON.stringify(manifest, null, 2)}\n`,
    'agents.md': [
      `# AMP Routing — ${name}`, '',
      '## Always load', '- operating-principles.md — what comes first, and why', '',
      '## Route by task type', '', '| If the task involves... | Load |', '|---|---|', '',
    ].join('\n'),
    'memory/operating-principles.md': [
      '---', 'type: cluster', 'applies_to: every task', 'source: self', 'primitive_counts:',
      '  goal: 1', '  claim: 0', '  directive: 1', '  demonstration: 0', '---', '',
      '[goal should, project, permanent] Optimize for a short answer over a complete one.',
      '  > Replace this line and the one above with a goal of yours.', '',
      '[directive must, project, permanent] In every answer, always say what was not checked.',
      '  > A reader can only weigh what is named.', '',
    ].join('\n'),
  };
}

/** Asks for a name, writes a pack that passes the linter, and opens it. */
export async function newPack(session: Session, where?: vscode.Uri): Promise<vscode.Uri | undefined> {
  const parent = where ?? (await chooseParent());
  if (!parent) return undefined;
  const taken = new Set((await vscode.workspace.fs.readDirectory(parent)).map(([n]) => n));
  const name = await vscode.window.showInputBox({
    title: 'New AMP Pack',
    prompt: 'Name: lower-case letters, digits and hyphens, at most 64',
    placeHolder: 'house-style',
    validateInput: (value) => {
      if (!namePattern.test(value)) return 'Lower-case letters, digits and hyphens; a letter or digit first; at most 64.';
      if (value === 'keys') return '“keys” is refused: an installed pack of that name would lie over the signing keys.';
      return taken.has(value) ? `There is already something named ${value}.` : undefined;
    },
  });
  if (!name) return undefined;
  const title = await vscode.window.showInputBox({ title: 'New AMP Pack', prompt: 'Title for people', value: name.replace(/-/g, ' ') });
  if (!title) return undefined;
  const folder = vscode.Uri.joinPath(parent, name);
  for (const [file, text] of Object.entries(template(name, title))) {
    await vscode.workspace.fs.writeFile(vscode.Uri.joinPath(folder, file), new TextEncoder().encode(text));
  }
  const document = await vscode.workspace.openTextDocument(vscode.Uri.joinPath(folder, 'memory/operating-principles.md'));
  await vscode.window.showTextDocument(document);
  if (vscode.workspace.getWorkspaceFolder(folder)) void session.startIfPack();
  return folder;
}
