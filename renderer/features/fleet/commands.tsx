// Shows terminal commands for this emulator and this group. The commands work from any folder.

import { Terminal } from 'lucide-react'
import type { ReactElement } from 'react'
import { useInfo, useProjectList } from '../../api/info.ts'
import { ShellCommand } from '../../parts/shell-command.tsx'
import { Button } from '../../ui/button.tsx'
import { Popover } from '../../ui/popover.tsx'
import { commandsOf, HINTS } from './texts.ts'

/** Shows how to send migration steps to this emulator. */
export function HowToGetSteps({ group }: { readonly group: string }): ReactElement {
  const commands = useCommands(group)
  return (
    <div className="ml-auto flex flex-wrap items-center gap-x-3 gap-y-1 text-small text-ink-dim">
      <p>{HINTS.noSteps}</p>
      {commands !== undefined && (
        <Popover
          title="How to get steps"
          align="end"
          trigger={
            <Button size="small" icon={<Terminal />}>
              Get steps
            </Button>
          }
        >
          <ul className="flex flex-col gap-2">
            {commands.getSteps.map(([command, effect]) => (
              <li key={command}>
                <p className="flex items-center gap-1">
                  <ShellCommand text={command} />
                </p>
                <p className="text-small text-ink-dim">{effect}</p>
              </li>
            ))}
          </ul>
        </Popover>
      )}
    </div>
  )
}

/** The command that writes what changed in the template into a step. */
export function FromChanges({ group }: { readonly group: string }): ReactElement | undefined {
  const commands = useCommands(group)
  if (commands === undefined) return undefined
  return (
    <p className="flex items-center gap-1 text-small">
      <ShellCommand text={commands.fromChanges} />
    </p>
  )
}

function useCommands(group: string): ReturnType<typeof commandsOf> | undefined {
  const { data: info } = useInfo()
  const { data: list } = useProjectList()
  if (info === undefined || list === undefined) return undefined
  return commandsOf({ group, url: info.auth_url, dataDir: list.data_dir ?? undefined })
}
