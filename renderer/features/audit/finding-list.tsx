// The findings of an audit, each with the row and the request that prove it.
import { CircleAlert, CircleCheck, ShieldCheck, TriangleAlert } from 'lucide-react'
import type { ReactElement } from 'react'
import type { AuditFinding, AuditProof } from '../../../emulator/contract/audit.ts'
import { CopyButton } from '../../ui/copy-button.tsx'
import { cx } from '../../ui/cx.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { EMPTY, NOTES } from './texts.ts'

export function FindingList(props: { readonly findings: readonly AuditFinding[] }): ReactElement {
  const { findings } = props
  if (findings.length === 0) return <EmptyState icon={<ShieldCheck />} {...EMPTY.findings} />
  return (
    <ul aria-label="Findings" className="grid auto-rows-min gap-2 p-4">
      {findings.map((finding) => (
        <li
          key={`${finding.rule} ${finding.object} ${finding.identity}`}
          className={cx('grid gap-2 rounded-2 border px-3 py-2', frameOf(finding))}
        >
          <Finding finding={finding} />
        </li>
      ))}
    </ul>
  )
}

function frameOf({ accepted, severity }: AuditFinding): string {
  if (accepted !== null) return 'bg-surface-1'
  return severity === 'error' ? 'border-refused/40 bg-refused/8' : 'border-clock/40 bg-clock/8'
}

function Finding({ finding }: { readonly finding: AuditFinding }): ReactElement {
  const { accepted, message, no_proof: none, proof, rule, safer } = finding
  return (
    <>
      <div className="flex flex-wrap gap-x-2 gap-y-1">
        <FindingMark finding={finding} />
        <p className="min-w-64 flex-1">{message}</p>
        <span className="shrink-0 font-mono text-small text-ink-dim">{rule}</span>
      </div>
      {accepted !== null && (
        <p className="pl-6 text-ink-dim">
          {NOTES.accept}
          {accepted}
        </p>
      )}
      {proof !== null && <Proof proof={proof} />}
      {none !== null && <p className="pl-6 text-ink-dim">{none}</p>}
      {safer !== null && accepted === null && (
        <p className="pl-6">
          <span className="text-ink-dim">Safer: </span>
          {safer}
        </p>
      )}
    </>
  )
}

function FindingMark({ finding }: { readonly finding: AuditFinding }): ReactElement {
  const { accepted, severity } = finding
  const [Icon, ink, label] =
    accepted !== null
      ? ([CircleCheck, 'text-ink-dim', 'accepted'] as const)
      : severity === 'error'
        ? ([CircleAlert, 'text-refused', 'error'] as const)
        : ([TriangleAlert, 'text-clock', 'warning'] as const)
  return <Icon role="img" aria-label={label} size={14} className={cx('mt-1 shrink-0', ink)} />
}

function Proof({ proof }: { readonly proof: AuditProof }): ReactElement {
  const { curl, identity, row, status, url } = proof
  const cells = Object.entries(row ?? {})
  return (
    <div className="ml-6 min-w-0 rounded-2 border bg-surface-0">
      <div className="flex min-w-0 items-center gap-2 border-b px-3 py-1">
        <code className="min-w-0 flex-1 truncate" title={url}>
          GET {pathOf(url)}
        </code>
        <span className="shrink-0 text-small text-ink-dim">
          as {identity} · {status}
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
