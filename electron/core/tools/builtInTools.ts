import { askUserQuestionTool } from './askUserQuestion/askUserQuestion';
import { createBashTool } from './bash/bash';
import { editTool } from './edit/edit';
import { globTool } from './glob/glob';
import { grepTool } from './grep/grep';
import { readTool } from './read/read';
import { todoWriteTool } from './todoWrite/todoWrite';
import type { AnyTool } from './tool';
import { writeTool } from './write/write';

/** What built-in tools need from the rest of the core. */
export interface BuiltInOptions {
  /**
   * Static classifier of shell text; anything not known to be read-only must give false. Without one, no command counts
   * as read-only.
   */
  readonly isReadOnlyCommand?: (command: string) => boolean;
}

/** All built-in tools, once per core: stage 1 of the pool. */
export function builtInTools(options: BuiltInOptions = {}): readonly AnyTool[] {
  return [
    createBashTool({ isReadOnlyCommand: options.isReadOnlyCommand ?? (() => false) }),
    readTool,
    writeTool,
    editTool,
    globTool,
    grepTool,
    todoWriteTool,
    askUserQuestionTool,
  ];
}
