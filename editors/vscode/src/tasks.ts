import * as vscode from 'vscode';
import type { Session } from './session';

interface Definition extends vscode.TaskDefinition {
  path?: string;
  arguments?: string[];
}

/** Tasks of type amp-lint, whose findings the problem matcher $amp-lint reads. */
export class LintTasks implements vscode.TaskProvider {
  constructor(private readonly session: Session) {}

  provideTasks(): vscode.Task[] {
    return (vscode.workspace.workspaceFolders ?? []).map((folder) => this.task({ type: 'amp-lint', path: '.' }, folder));
  }

  resolveTask(task: vscode.Task): vscode.Task | undefined {
    return this.task(task.definition as Definition, task.scope ?? vscode.TaskScope.Workspace);
  }

  private task(definition: Definition, scope: vscode.WorkspaceFolder | vscode.TaskScope): vscode.Task {
    const args = ['--format', 'concise', ...(definition.arguments ?? []), definition.path ?? '.'];
    const execution = new vscode.ProcessExecution(this.command(), args);
    const task = new vscode.Task(definition, scope as vscode.WorkspaceFolder, 'lint packs', 'amp-lint', execution, '$amp-lint');
    task.group = vscode.TaskGroup.Test;
    return task;
  }

  // A missing linter is reported by the task that runs, where the user looks for it.
  private command(): string {
    try {
      return this.session.linter().command;
    } catch {
      return 'amp-lint';
    }
  }
}
