// `tenantry completion bash|zsh|fish`: prints a script that completes commands, options and values in a shell. The script
// contains the commands of this release, so it starts no process while the user types.
import { Argument, Command } from 'commander'
import { terminal } from '../../terminal.ts'
import { SHELLS, type Shell } from './shells.ts'

const HELP = `
Load it in the file that your shell reads at its start:
  ~/.bashrc                    source <(tenantry completion bash)
  ~/.zshrc, after compinit     source <(tenantry completion zsh)
  ~/.config/fish/config.fish   tenantry completion fish | source
The shell must find "tenantry": install the package globally, or add node_modules/.bin to PATH.`

export function completionCommand(): Command {
  return new Command('completion')
    .description('print a script that completes commands, options and values in your shell')
    .addArgument(new Argument('<shell>', 'your shell').choices(SHELLS))
    .addHelpText('after', HELP)
    .action(async (shell: Shell, _options: object, self: Command) => {
      const { completionScript } = await import('./write-script.ts')
      terminal().stdout.write(completionScript(shell, self.parent ?? self))
    })
}
