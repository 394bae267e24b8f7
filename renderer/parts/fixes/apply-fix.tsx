// The button that applies a fix: as a migration step where `tenantry dev` follows a folder, otherwise to the tenant itself.
import { FilePlus, Play } from 'lucide-react'
import type { ReactElement } from 'react'
import { useStepFolder, writeStep } from '../../api/fixtures.ts'
import { runSql } from '../../api/sql.ts'
import { Button } from '../../ui/button.tsx'
import { useAction } from '../../ui/form-action.ts'

export interface ApplyFixProps {
  readonly tenant: string
  readonly title: string
  readonly sql: string
  /** Whether the fix changes rows of this tenant only, so that it does not belong into a step. */
  readonly isOfRows: boolean
}

export function ApplyFix(props: ApplyFixProps): ReactElement | undefined {
  const { isOfRows, sql, tenant, title } = props
  const steps = useStepFolder(tenant)
  const folder = isOfRows ? null : (steps.data?.folder ?? null)
  const save = useAction({
    work: () => writeStep(tenant, title, sql),
    failure: 'Could not save the step',
    stale: [['fixtures']],
    done: ({ path }) => ({
      title: 'Step saved',
      detail:
        steps.data?.reaches_project === true
          ? path
          : `${path}. The step applies to the template. ${tenant} keeps its version.`,
    }),
  })
  const apply = useAction({
    work: () => applySql(tenant, sql),
    failure: `Could not apply the fix to ${tenant}`,
    stale: [['explain'], ['rows'], ['tables']],
    done: () => ({ title: `Fix applied to ${tenant}`, detail: title }),
  })
  if (steps.isPending) return undefined
  return folder === null ? (
    <Button size="small" icon={<Play />} isBusy={apply.isPending} onClick={() => apply.mutate()}>
      Apply to {tenant}
    </Button>
  ) : (
    <Button
      size="small"
      icon={<FilePlus />}
      isBusy={save.isPending}
      title={folder}
      onClick={() => save.mutate()}
    >
      Save as migration step
    </Button>
  )
}

async function applySql(tenant: string, sql: string): Promise<void> {
  const answer = await runSql(tenant, { sql, identity: 'owner' }, new AbortController().signal)
  if (answer.error !== null) throw new Error(answer.error.message)
}
