// The sheet that tries a change in one project, rehearses it in all tenants, applies it after a snapshot, and can undo it.
// Suggested fixes, structure differences, the SQL console and the structure sheet of a table open this sheet.

import type { ReactElement } from 'react'
import { useStepFolder } from '../../api/fixtures.ts'
import { Breakable } from '../../ui/breakable.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Section } from '../../ui/sheet.tsx'
import { Loaded } from '../loaded.tsx'
import { SqlBlock } from '../sql-text.tsx'
import { type ChangeReach, type ChangeSheetProps, reachOf, scriptOf } from './change-model.ts'
import { ChangeSteps } from './change-steps.tsx'
import { TEXTS } from './texts.ts'

export function ChangeSheet(props: ChangeSheetProps): ReactElement {
  const { onDone, onlyHere, statements, tenant, title } = props
  const sql = scriptOf(statements)
  const folder = useStepFolder(tenant)
  return (
    <Dialog title="Change" isOpen onClose={onDone} side="right" width="wide">
      <div className="flex flex-col gap-5">
        <Section
          title={title}
          beside={<CopyButton text={sql} label="Copy the statements" words="Copy" />}
        >
          <figure
            aria-label="Statements"
            className="max-h-56 overflow-auto rounded-2 border bg-surface-0 px-2 py-1.5"
          >
            <SqlBlock sql={sql} />
          </figure>
        </Section>
        <Loaded query={folder} what="the folder of steps" lines={1}>
          {(found) => {
            const reach = reachOf(tenant, found, onlyHere !== undefined)
            return (
              <>
                <Reach reach={reach} onlyHere={onlyHere} />
                <ChangeSteps key={sql} {...props} sql={sql} reach={reach} />
              </>
            )
          }}
        </Loaded>
      </div>
    </Dialog>
  )
}

/** Says which projects get the change, and which folder records its step. */
function Reach(props: {
  readonly reach: ChangeReach
  readonly onlyHere: ChangeSheetProps['onlyHere']
}): ReactElement {
  const { onlyHere, reach } = props
  if (reach.kind === 'project')
    return onlyHere === undefined ? (
      <p className="text-clock">{TEXTS.notRecorded(reach.tenant)}</p>
    ) : (
      <p className="text-ink-dim">{TEXTS.onlyHere[onlyHere](reach.tenant)}</p>
    )
  return (
    <p className="text-ink-dim">
      {TEXTS.asStep(reach)}{' '}
      <code className="break-words text-ink">
        <Breakable text={reach.folder} />
      </code>
    </p>
  )
}
