// Groups and tenants: the groups of this platform, and the tenants of the one that is open. The address holds what is open.
import { useSearch } from '@tanstack/react-router'
import { Plus } from 'lucide-react'
import { type ReactElement, useCallback, useMemo } from 'react'
import { useOverview } from '../../api/info.ts'
import { usePaletteActions } from '../../parts/palette-actions.ts'
import { useSetSearch } from '../../parts/search.ts'
import { Button } from '../../ui/button.tsx'
import { Failed } from '../../ui/failed.tsx'
import { Loading } from '../../ui/loading.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { SheetLayout } from '../../ui/sheet.tsx'
import { GroupChoice } from './group-choice.tsx'
import { GroupStrip } from './group-strip.tsx'
import { OpenSheet } from './open-sheet.tsx'
import { TenantList } from './tenant-list.tsx'
import { NO_GROUP, type TenantsSearch, withoutSheet } from './tenants-search.ts'

export function TenantsPage(): ReactElement {
  const search = useSearch({ from: '/tenants' })
  const { data, error, isPending, refetch } = useOverview()
  const group =
    search.group === NO_GROUP
      ? undefined
      : (data?.groups.find(({ id }) => id === search.group) ?? data?.groups[0])
  const go = useSetSearch<TenantsSearch>()
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
            <TenantList overview={data} group={group} search={search} onSearch={go} />
          </SheetLayout>
        </>
      )}
    </>
  )
}
