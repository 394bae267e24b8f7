// Groups and tenants: the groups of this platform, and the tenants of the one that is open. The address holds what is open.
import { useNavigate, useSearch } from '@tanstack/react-router'
import { Plus } from 'lucide-react'
import { type ReactElement, useCallback, useMemo } from 'react'
import type {
  GroupOverview,
  PlatformOverview,
  ProjectOverview,
} from '../../../emulator/contract/overview.ts'
import { useOverview } from '../../api/info.ts'
import { usePaletteActions } from '../../parts/palette-actions.ts'
import { Button } from '../../ui/button.tsx'
import { DataGrid } from '../../ui/data-grid.tsx'
import { Failed } from '../../ui/failed.tsx'
import { Loading } from '../../ui/loading.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { SearchField } from '../../ui/search-field.tsx'
import { SheetLayout } from '../../ui/sheet.tsx'
import { Toolbar } from '../../ui/toolbar.tsx'
import { GroupChoice, NoTenants } from './group-choice.tsx'
import { GroupStrip } from './group-strip.tsx'
import { OpenSheet } from './open-sheet.tsx'
import { TENANT_COLUMNS } from './tenant-columns.tsx'
import { NO_GROUP, type TenantsSearch, withoutSheet } from './tenants-search.ts'

export function TenantsPage(): ReactElement {
  const search = useSearch({ from: '/tenants' })
  const navigate = useNavigate()
  const { data, error, isPending, refetch } = useOverview()
  const group =
    search.group === NO_GROUP
      ? undefined
      : (data?.groups.find(({ id }) => id === search.group) ?? data?.groups[0])
  const words = (search.q ?? '').toLowerCase()
  const shown = useMemo(() => shownOf(data, group, words), [data, group, words])
  const go = useCallback(
    (next: TenantsSearch) => void navigate({ to: '/tenants', search: next, replace: true }),
    [navigate],
  )
  const close = useCallback(() => go(withoutSheet(search)), [go, search])
  usePaletteActions(
    useMemo(
      () => [
        {
          id: 'tenants.provision',
          label: 'Provision tenant',
          group: 'Groups and tenants',
          run: () => go({ sheet: 'provision' }),
        },
      ],
      [go],
    ),
  )
  return (
    <>
      <PageHeader
        title="Groups and tenants"
        beside={
          data === undefined ? undefined : (
            <GroupChoice groups={data.groups} open={group} onOpen={(id) => go({ group: id })} />
          )
        }
        actions={
          group === undefined ? undefined : (
            <Button
              tone="primary"
              icon={<Plus aria-hidden="true" />}
              onClick={() => go({ ...withoutSheet(search), sheet: 'provision' })}
            >
              Provision tenant
            </Button>
          )
        }
      />
      {data === undefined ? (
        error === null || isPending ? (
          <Loading label="Loading groups" lines={8} />
        ) : (
          <Failed title="The groups could not be read" error={error} retry={() => void refetch()} />
        )
      ) : (
        <>
          {group === undefined ? undefined : (
            <GroupStrip
              key={group.id}
              group={group}
              onOpen={(next) => go({ ...withoutSheet(search), ...next })}
            />
          )}
          <SheetLayout
            sheet={
              <OpenSheet
                overview={data}
                group={group}
                search={search}
                onSearch={go}
                onClose={close}
              />
            }
          >
            <Toolbar label="Filter tenants">
              <SearchField
                label="Search tenants"
                placeholder="Slug or external id…"
                value={search.q ?? ''}
                onChange={(q) => {
                  const { q: _q, ...rest } = search
                  go(q === '' ? rest : { ...rest, q })
                }}
              />
            </Toolbar>
            <DataGrid
              label="Tenants"
              name="tenants"
              columns={TENANT_COLUMNS}
              rows={shown}
              rowKey={slugOf}
              rowHeight={32}
              selected={search.project}
              onSelect={(slug) =>
                go({
                  ...withoutSheet(search),
                  project: slug,
                  ...(search.part === undefined ? {} : { part: search.part }),
                })
              }
              rowClass={({ state }) => (state === 'active' ? '' : 'text-ink-dim')}
              isFirst
              empty={<NoTenants isFiltered={words !== ''} />}
            />
          </SheetLayout>
        </>
      )}
    </>
  )
}

function shownOf(
  overview: PlatformOverview | undefined,
  group: GroupOverview | undefined,
  words: string,
): readonly ProjectOverview[] {
  const projects =
    group === undefined ? (overview?.projects ?? []) : [...group.tenants, ...group.removed_tenants]
  return projects.filter(({ slug, name, external_id: id }) =>
    `${slug} ${name} ${id ?? ''}`.toLowerCase().includes(words),
  )
}

function slugOf({ slug }: ProjectOverview): string {
  return slug
}
