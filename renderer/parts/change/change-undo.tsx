// What an applied change did to each project, and its undo, which asks before it loses later changes.

import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Undo2 } from 'lucide-react'
import type { ReactElement } from 'react'
import type { AppliedChange } from '../../../emulator/contract/changes.ts'
import { undoChange } from '../../api/changes.ts'
import { Breakable } from '../../ui/breakable.tsx'
import { Button } from '../../ui/button.tsx'
import { Failed } from '../../ui/failed.tsx'
import { Section } from '../../ui/sheet.tsx'
import { AppliedResult } from '../rehearsal/apply-report.tsx'
import { TEXTS } from './texts.ts'

export function ChangeUndone(props: {
  readonly tenant: string
  readonly applied: AppliedChange
  readonly template: string | undefined
}): ReactElement {
  const { applied, template, tenant } = props
  const { ok, path, projects } = applied
  const snapshot = applied.snapshot ?? ''
  const queries = useQueryClient()
  const undo = useMutation({
    mutationFn: (losing: number) => undoChange(tenant, { snapshot, losing }),
    onSuccess: () => void queries.invalidateQueries(),
  })
  if (undo.data?.undone === true)
    return (
      <Section title="Undone">
        <p role="status">
          The platform is as it was before the change.
          {undo.data.removed !== null && (
            <>
              {' '}
              Removed{' '}
              <code className="break-words">
                <Breakable text={undo.data.removed} />
              </code>
              .
            </>
          )}
        </p>
      </Section>
    )
  const refused = undo.data
  return (
    <>
      <AppliedResult ok={ok} results={projects} template={template}>
        {path !== null && (
          <p>
            Saved{' '}
            <code className="break-words">
              <Breakable text={path} />
            </code>
            .
          </p>
        )}
      </AppliedResult>
      <Section title="Undo">
        <p className="text-small text-ink-dim">
          {TEXTS.undo} {path !== null && TEXTS.undoStep} Its snapshot is{' '}
          <code className="break-words text-ink">
            <Breakable text={snapshot} />
          </code>
          .
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
    </>
  )
}
