// The audit screen shows which rows each identity sees in the whole tenant, and unintended access. Also shows which access was
// added since a contract was accepted, and whether other tenants are isolated.
import { getRouteApi } from '@tanstack/react-router'
import { RefreshCw, Table2 } from 'lucide-react'
import { type ReactElement, useMemo } from 'react'
import type { Audit } from '../../../emulator/contract/audit.ts'
import { type AuditCause, causesOf } from '../../../emulator/contract/audit-causes.ts'
import { useAudit, useAuditAgain } from '../../api/audit.ts'
import type { PartialAudit } from '../../api/audit-parts.ts'
import { FindingCounts } from '../../parts/finding-counts.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { usePaletteActions } from '../../parts/palette-actions.ts'
import { useSetSearch } from '../../parts/search.ts'
import { Button } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Loading } from '../../ui/loading.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { AUDIT_VIEWS, type AuditSearch, type AuditView } from './audit-search.ts'
import { CauseList } from './cause-list.tsx'
import { ContractView } from './contract-view.tsx'
import { IsolationView } from './isolation-view.tsx'
import { PictureGrid } from './picture-grid.tsx'
import { EMPTY, progressText, TITLE, VIEWS } from './texts.ts'

const route = getRouteApi('/t/$tenant/audit')

export function AuditPage(): ReactElement {
  const { tenant } = route.useParams()
  const search = route.useSearch()
  const go = useSetSearch<AuditSearch>()
  const audit = useAudit(tenant)
  const auditAgain = useAuditAgain(tenant)
  const show = useMemo(
    () => (view: AuditView) =>
      go({ with: search.with, view: view === 'picture' ? undefined : view }),
    [go, search.with],
  )
  usePaletteActions(
    useMemo(
      () =>
        AUDIT_VIEWS.map((view) => ({
          id: `audit.${view}`,
          label: VIEWS[view],
          group: TITLE,
          run: () => show(view),
        })),
      [show],
    ),
  )
  return (
    <>
      <PageHeader
        title={TITLE}
        beside={
          audit.data && (
            <span className="truncate text-small tabular-nums max-sm:hidden">
              {progressText(audit.data)}
            </span>
          )
        }
        actions={
          <Button icon={<RefreshCw />} isBusy={audit.isFetching} onClick={auditAgain}>
            Run audit
          </Button>
        }
      />
      <Loaded query={shownOf(audit)} what="the audit" lines={12} since="Audits">
        {(loaded) => (
          <Tabs
            label={TITLE}
            value={search.view ?? 'picture'}
            tabs={AUDIT_VIEWS.map((value) => ({
              value,
              label: VIEWS[value],
              beside:
                value === 'findings' && loaded.whole !== undefined ? (
                  <FindingCounts findings={openCauses(loaded.whole)} />
                ) : undefined,
            }))}
            onChange={show}
          >
            {search.view === 'isolation' ? (
              <IsolationView
                tenant={tenant}
                chosen={search.with}
                onChoose={(slug) => go({ ...search, with: slug })}
              />
            ) : search.view === 'contract' ? (
              <ContractView key={tenant} tenant={tenant} />
            ) : (
              <AuditOf audit={loaded} view={search.view} />
            )}
          </Tabs>
        )}
      </Loaded>
    </>
  )
}

function AuditOf(props: {
  readonly audit: PartialAudit
  readonly view: AuditView | undefined
}): ReactElement {
  const { audit, view } = props
  const { buckets, tables, waiting, whole } = audit
  if (view === 'findings')
    return whole === undefined ? <Loading label="Loading findings" /> : <CauseList audit={whole} />
  return tables.length + waiting.length + buckets.length === 0 ? (
    <EmptyState icon={<Table2 />} {...EMPTY.tables} />
  ) : (
    <PictureGrid audit={audit} />
  )
}

// Hides the loaded part of an audit that failed, because the missing part would seem to be still loading.
function shownOf({ data, error, refetch }: ReturnType<typeof useAudit>) {
  const isCut = error !== null && data?.whole === undefined
  return { data: isCut ? undefined : data, error, refetch }
}

function openCauses(audit: Audit): readonly (AuditCause & { readonly object: string })[] {
  return causesOf([audit])
    .filter(({ accepted }) => accepted === null)
    .map((cause) => ({ ...cause, object: cause.cause }))
}
