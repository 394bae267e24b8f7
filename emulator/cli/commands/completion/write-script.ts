// Writes the completion script of a shell from the commands of the program. Pure.
import type { Command } from 'commander'
import { bashScript } from './bash-script.ts'
import { commandTree } from './command-tree.ts'
import { fishScript } from './fish-script.ts'
import type { Shell } from './shells.ts'
import { zshScript } from './zsh-script.ts'

const WRITERS = { bash: bashScript, zsh: zshScript, fish: fishScript } as const

/** @param program with all its commands @returns a script that the shell sources */
export function completionScript(shell: Shell, program: Command): string {
  return WRITERS[shell](program.name(), commandTree(program))
}
