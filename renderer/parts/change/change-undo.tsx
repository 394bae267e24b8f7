// Shows what an applied change did to each project, and the button that undoes it. Undo asks before it loses later changes.

import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Undo2 } from 'lucide-react'
import { type ReactElement, type ReactNode, useState } from 'react'
import type { AppliedChange, ChangeUndo } from '../../../emulator/contract/changes.ts'
import { undoChange } from '../../api/changes.ts'
import { Breakable } from '../../ui/breakable.tsx'
import { Button } from '../../ui/button.tsx'
import { Failed } from '../../ui/failed.tsx'
import { Section } from '../../ui/sheet.tsx'
import { AppliedResult } from '../rehearsal/apply-report.tsx'
import { FixtureMisfit } from '../rehearsal/fixture-misfit.tsx'
import { TEXTS } from './texts.ts'

export function ChangeUndone(props: {
  readonly tenant: string
  readonly applied: AppliedChange
  readonly template: string | undefined
}): ReactElement {
  const { applied, template, tenant } = props
  const { ok, path, projects } = applied
  const [undone, setUndone] = useState<ChangeUndo>()
  if (undone !== undefined)
    return (
      <Section title="Undone">
        <p role="status">
          {TEXTS.undone}
          {undone.removed !== null && (
            <>
              {' '}
              Removed <Name text={undone.removed} />.
            </>
          )}
        </p>
      </Section>
    )
  return (
    <>
      <AppliedResult ok={ok} results={projects} template={template}>
        {path !== null && (
          <p>
            Saved <Name text={path} />.
          </p>
        )}
        <FixtureMisfit problem={applied.fixture_problem} isApplied />
      </AppliedResult>
      <UndoSection tenant={tenant} applied={applied} onUndone={setUndone}>
        {TEXTS.undoLater} <Name text={applied.snapshot ?? ''} />.
      </UndoSection>
    </>
  )
}

/** The part of a sheet that undoes the last change. */
export function UndoSection(props: {
  readonly tenant: string
  readonly applied: AppliedChange
  readonly onUndone: (undone: ChangeUndo) => void
  readonly children?: ReactNode
}): ReactElement {
  const { applied, children, onUndone, tenant } = props
  const queries = useQueryClient()
  const undo = useMutation({
    mutationFn: (losing: number) =>
      undoChange(tenant, { snapshot: applied.snapshot ?? '', losing }),
    onSuccess: (answer) => {
      if (answer.undone) onUndone(answer)
      void queries.invalidateQueries()
    },
  })
  const refused = undo.data?.undone === false ? undo.data : undefined
  return (
    <Section title="Undo">
      <p className="text-small text-ink-dim">
        {TEXTS.undo} {applied.path !== null && TEXTS.undoStep} {children}
      </p>
      {refused !== undefined && (
        <p role="alert" className="rounded-2 border border-clock/40 bg-clock/10 p-3 text-clock">
          {refused.sentence}
        </p>
      )}
      <div>
        <Button
          icon={<Undo2 />}
          tone={refused === undefined ? 'plain' : 'danger'}
          isBusy={undo.isPending}
          onClick={() => undo.mutate(refused?.later ?? 0)}
        >
          {refused === undefined ? 'Undo' : TEXTS.undoLosing(refused.later)}
        </Button>
      </div>
      {undo.error !== null && <Failed title="Could not undo the change" error={undo.error} />}
    </Section>
  )
}

function Name({ text }: { readonly text: string }): ReactElement {
  return (
    <code className="break-words text-ink">
      <Breakable text={text} />
    </code>
  )
}
