// Shows what anon and a new user reach beyond an accepted contract. `tenantry audit --contract` checks the same.
import { Link } from '@tanstack/react-router'
import { Download, FileCheck, ShieldCheck, Upload } from 'lucide-react'
import { type ReactElement, useRef } from 'react'
import type { AuditCause } from '../../../emulator/contract/audit-causes.ts'
import { causesOf } from '../../../emulator/contract/audit-causes.ts'
import type { ExposureComparison } from '../../../emulator/contract/exposure-contract.ts'
import { loadContract, useCheckContract } from '../../api/audit.ts'
import { useInfo } from '../../api/info.ts'
import { saveFile } from '../../parts/save-file.ts'
import { ShellCommand } from '../../parts/shell-command.tsx'
import { Button } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Failed } from '../../ui/failed.tsx'
import { useAction } from '../../ui/form-action.ts'
import { Toolbar } from '../../ui/toolbar.tsx'
import { CauseItem } from './cause-list.tsx'
import { acceptCommand, CONTRACT, checkCommand, EMPTY } from './texts.ts'

export function ContractView({ tenant }: { readonly tenant: string }): ReactElement {
  const check = useCheckContract(tenant)
  const save = useAction({
    work: () => loadContract(tenant),
    failure: CONTRACT.saveFailed,
    onDone: (file) => saveFile(CONTRACT.file, file),
  })
  const field = useRef<HTMLInputElement>(null)
  return (
    <div className="flex min-h-0 flex-1 flex-col">
      <Toolbar label={CONTRACT.title}>
        <input
          ref={field}
          type="file"
          accept="application/json"
          hidden
          data-testid="contract-field"
          onChange={(event) => {
            const [file] = event.target.files ?? []
            if (file !== undefined) check.mutate(file)
            // Clears the field, so that the user can choose the same file again.
            event.target.value = ''
          }}
        />
        <Button
          tone="primary"
          icon={<Upload />}
          isBusy={check.isPending}
          onClick={() => field.current?.click()}
        >
          {CONTRACT.check}
        </Button>
        <Button icon={<Download />} isBusy={save.isPending} onClick={() => save.mutate()}>
          {CONTRACT.save}
        </Button>
      </Toolbar>
      {check.error !== null ? (
        <Failed title={CONTRACT.checkFailed} error={check.error} />
      ) : check.data === undefined ? (
        <EmptyState
          icon={<FileCheck />}
          title={EMPTY.contract.title}
          detail={EMPTY.contract.detail}
          action={<Hint command={checkCommand} tenant={tenant} />}
        />
      ) : (
        <Compared comparison={check.data} />
      )}
    </div>
  )
}

function Compared({ comparison }: { readonly comparison: ExposureComparison }): ReactElement {
  const { changes, tenant, widened } = comparison
  const causes = causesOf([{ tenant, findings: widened }])
  if (causes.length + changes.length === 0)
    return <EmptyState icon={<ShieldCheck />} {...EMPTY.widened} />
  return (
    <div className="grid min-h-0 flex-1 auto-rows-min gap-4 overflow-auto p-4">
      {causes.length === 0 ? (
        <p role="status" className="flex items-center gap-2 font-strong text-allowed">
          <ShieldCheck size={14} />
          {EMPTY.widened.title}
        </p>
      ) : (
        <ul aria-label={CONTRACT.widened} className="grid auto-rows-min gap-2">
          {causes.map((cause) => (
            <CauseItem key={cause.cause} cause={cause} tenant={tenant}>
              <TableLink cause={cause} tenant={tenant} />
            </CauseItem>
          ))}
        </ul>
      )}
      {causes.length > 0 && (
        <p className="text-ink-dim">
          {CONTRACT.intended} <Hint command={acceptCommand} tenant={tenant} />
        </p>
      )}
      {changes.length > 0 && (
        <section aria-labelledby="other-changes" className="grid gap-2">
          <h2 id="other-changes" className="font-strong">
            {CONTRACT.changes}
          </h2>
          <ul className="grid gap-1 text-ink-dim">
            {changes.map((change) => (
              <li key={change}>{change}</li>
            ))}
          </ul>
        </section>
      )}
    </div>
  )
}

function Hint(props: {
  readonly command: (url: string, tenant: string) => string
  readonly tenant: string
}): ReactElement | undefined {
  const { data: info } = useInfo()
  return info && <ShellCommand text={props.command(info.auth_url, props.tenant)} />
}

function TableLink(props: {
  readonly cause: AuditCause
  readonly tenant: string
}): ReactElement | null {
  const { cause, tenant } = props
  const [table] = cause.tables
  if (table === undefined) return null
  return (
    <Link
      className="pl-6 text-accent hover:underline"
      to="/t/$tenant/policies/$table"
      params={{ tenant, table }}
    >
      {CONTRACT.rules}
    </Link>
  )
}
