// The findings of an audit by cause, each with the tenants and tables that it concerns, and the request that proves it.
import { Link } from '@tanstack/react-router'
import { CircleAlert, CircleCheck, ShieldCheck, TriangleAlert } from 'lucide-react'
import { type ReactElement, type ReactNode, useMemo } from 'react'
import type { Audit, AuditProof } from '../../../emulator/contract/audit.ts'
import { type AuditCause, causesOf } from '../../../emulator/contract/audit-causes.ts'
import { useOtherAudits } from '../../api/audit.ts'
import { useProjects } from '../../api/info.ts'
import { RuleName } from '../../parts/rule-name.tsx'
import { SaferText } from '../../parts/safer-text.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { cx } from '../../ui/cx.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { EMPTY, MAX_OTHERS, NOTES, othersText, placesText } from './texts.ts'

export function CauseList(props: { readonly audit: Audit }): ReactElement {
  const { audit } = props
  const { data: projects = [] } = useProjects()
  const all = projects.filter(({ kind, slug }) => kind === 'tenant' && slug !== audit.tenant)
  const asked = all.slice(0, MAX_OTHERS).map(({ slug }) => slug)
  const others = useOtherAudits(audit.tenant, asked)
  const causes = useMemo(
    () =>
      causesOf([audit, ...(others.data ?? [])]).filter(({ tenants }) =>
        tenants.includes(audit.tenant),
      ),
    [audit, others.data],
  )
  if (causes.length === 0) return <EmptyState icon={<ShieldCheck />} {...EMPTY.findings} />
  return (
    <div className="min-h-0 flex-1 overflow-auto">
      <p role="status" className="px-4 text-small text-ink-dim not-empty:pt-4">
        {stateOf(others, asked.length, all.length)}
      </p>
      <ul aria-label="Findings" className="grid auto-rows-min gap-2 p-4">
        {causes.map((cause) => (
          <CauseItem
            key={`${cause.rule} ${cause.cause} ${cause.severity} ${cause.accepted}`}
            cause={cause}
            tenant={audit.tenant}
          />
        ))}
      </ul>
    </div>
  )
}

function stateOf(
  { error, isPending }: ReturnType<typeof useOtherAudits>,
  asked: number,
  all: number,
): string {
  if (isPending && asked > 0) return NOTES.others
  if (error !== null) return `The other tenants could not be audited: ${error.message}`
  return all > asked ? othersText(asked, all) : ''
}

/** One cause in a frame. The children come after the facts about the cause. */
export function CauseItem(props: {
  readonly cause: AuditCause
  readonly tenant: string
  readonly children?: ReactNode
}): ReactElement {
  const { cause, children, tenant } = props
  return (
    <li className={cx('grid gap-2 rounded-2 border px-3 py-2', frameOf(cause))}>
      <Cause cause={cause} tenant={tenant} />
      {children}
    </li>
  )
}

function frameOf({ accepted, severity }: AuditCause): string {
  if (accepted !== null) return 'bg-surface-1'
  return severity === 'error' ? 'border-refused/40 bg-refused/8' : 'border-clock/40 bg-clock/8'
}

function Cause(props: { readonly cause: AuditCause; readonly tenant: string }): ReactElement {
  const { cause, tenant } = props
  const { accepted, message, no_proof: none, proof, proof_tenant: shown, rule, safer } = cause
  const called = /^function ([^(]+)\(/.exec(cause.cause)?.[1]
  return (
    <>
      <div className="flex flex-wrap gap-x-2 gap-y-1">
        <CauseMark cause={cause} />
        <p className="min-w-64 flex-1">{message}</p>
        <RuleName rule={rule} />
      </div>
      <p className="pl-6 text-small break-words text-ink-dim">
        {placesText(cause)}
        {cause.tables.map((table) => (
          <Link
            key={table}
            to="/t/$tenant/policies/$table"
            params={{ tenant, table }}
            className="pl-3 whitespace-nowrap text-accent hover:underline"
          >
            Policies of {table}
          </Link>
        ))}
        {called !== undefined && (
          <Link
            to="/t/$tenant/sql"
            params={{ tenant }}
            search={{ sql: definitionOf(called), as: undefined }}
            className="pl-3 whitespace-nowrap text-accent hover:underline"
          >
            Definition of {called}
          </Link>
        )}
      </p>
      {accepted !== null && (
        <p className="pl-6 text-ink-dim">
          {NOTES.accept}
          {accepted}
        </p>
      )}
      {proof !== null && <Proof proof={proof} of={shown === tenant ? null : shown} />}
      {none !== null && <p className="pl-6 text-ink-dim">{none}</p>}
      {safer !== null && accepted === null && <SaferText text={safer} />}
    </>
  )
}

/** The statement that reads the definitions of the tenant's functions with this name. */
function definitionOf(name: string): string {
  return `select pg_get_functiondef(oid) from pg_proc
where proname = '${name.replaceAll("'", "''")}' and pronamespace = current_schema()::regnamespace;`
}

function CauseMark({ cause }: { readonly cause: AuditCause }): ReactElement {
  const { accepted, severity } = cause
  const [Icon, ink, label] =
    accepted !== null
      ? ([CircleCheck, 'text-ink-dim', 'accepted'] as const)
      : severity === 'error'
        ? ([CircleAlert, 'text-refused', 'error'] as const)
        : ([TriangleAlert, 'text-clock', 'warning'] as const)
  return <Icon role="img" aria-label={label} size={14} className={cx('mt-1 shrink-0', ink)} />
}

function Proof(props: {
  readonly proof: AuditProof
  /** The tenant whose rows the proof shows; `null` for the tenant of the page. */
  readonly of: string | null
}): ReactElement {
  const { of: tenant, proof } = props
  const { curl, identity, row, status, url } = proof
  const cells = Object.entries(row ?? {})
  return (
    <div className="ml-6 min-w-0 rounded-2 border bg-surface-0">
      <div className="flex min-w-0 items-center gap-2 border-b px-3 py-1">
        <code className="min-w-0 flex-1 truncate" title={url}>
          GET {pathOf(url)}
        </code>
        <span className="shrink-0 text-small text-ink-dim">
          as {identity}
          {tenant !== null && ` of ${tenant}`} · {status}
        </span>
        <CopyButton text={curl} label="Copy curl command" />
      </div>
      {cells.length > 0 && (
        <p className="flex flex-wrap gap-x-4 px-3 py-1 font-mono text-small">
          {cells.map(([name, value]) => (
            <span key={name} className="max-w-full truncate">
              <span className="text-ink-dim">{name}</span> {value ?? 'null'}
            </span>
          ))}
        </p>
      )}
    </div>
  )
}

function pathOf(url: string): string {
  const { pathname, search } = new URL(url)
  return pathname + search
}
