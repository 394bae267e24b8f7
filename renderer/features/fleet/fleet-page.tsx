// The fleet screen shows all tenants of a group with their template versions and migration steps. The address holds the group,
// the filters, the order and the open sheet.
import { useSearch } from '@tanstack/react-router'
import { Grid3x3, Upload } from 'lucide-react'
import { type ReactElement, useCallback, useMemo, useState } from 'react'
import type { Fleet, FleetTenant } from '../../../emulator/contract/fleet.ts'
import { useFleet } from '../../api/fleet.ts'
import { useProjectList } from '../../api/info.ts'
import { GroupChoice } from '../../parts/group-choice.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { usePaletteActions } from '../../parts/palette-actions.ts'
import { useSetSearch } from '../../parts/search.ts'
import { Button } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { SheetLayout } from '../../ui/sheet.tsx'
import { ApplySheet } from './apply-sheet.tsx'
import { FleetList } from './fleet-list.tsx'
import { shownTenants } from './fleet-model.ts'
import { type FleetSearch, withoutSheet } from './fleet-search.ts'
import { FleetStrip } from './fleet-strip.tsx'
import { PublishSheet } from './publish-sheet.tsx'
import { RehearseSheet } from './rehearse-sheet.tsx'
import { TemplateSheet, TenantSheet } from './tenant-sheet.tsx'
import { EMPTY } from './texts.ts'

export function FleetPage(): ReactElement {
  const search = useSearch({ from: '/fleet' })
  const list = useProjectList()
  const groups = list.data?.groups ?? []
  const group = groups.find(({ id }) => id === search.group) ?? groups[0]
  const go = useSetSearch<FleetSearch>()
  useFleetActions(search, go)
  return (
    <>
      <PageHeader
        title="Fleet"
        beside={group && <GroupChoice open={group.id} onOpen={(id) => go({ group: id })} />}
        actions={
          group && (
            <Button
              icon={<Upload />}
              onClick={() => go({ ...withoutSheet(search), sheet: 'publish' })}
            >
              Publish template…
            </Button>
          )
        }
      />
      <Loaded query={list} what="groups">
        {() =>
          group === undefined ? (
            <EmptyState icon={<Grid3x3 />} {...EMPTY.groups} />
          ) : (
            <GroupFleet key={group.id} group={group.id} search={search} go={go} />
          )
        }
      </Loaded>
    </>
  )
}

function useFleetActions(search: FleetSearch, go: (next: FleetSearch) => void): void {
  const { group } = search
  usePaletteActions(
    useMemo(() => {
      const action = (id: string, label: string, next: FleetSearch) => ({
        id: `fleet.${id}`,
        label,
        group: 'Fleet',
        run: () => go({ group, ...next }),
      })
      return [
        action('rehearse', 'Rehearse steps', { sheet: 'rehearse' }),
        action('apply', 'Apply steps', { sheet: 'apply' }),
        action('publish', 'Publish template', { sheet: 'publish' }),
        action('differs', 'Show tenants with differences', { facts: 'differs' }),
        action('pending', 'Show tenants with pending steps', { facts: 'pending' }),
      ]
    }, [group, go]),
  )
}

interface GroupFleetProps {
  /** The group's id. */
  readonly group: string
  readonly search: FleetSearch
  readonly go: (search: FleetSearch) => void
}

function GroupFleet({ group, search, go }: GroupFleetProps): ReactElement {
  const query = useFleet(group)
  const [picked, setPicked] = useState<ReadonlySet<string>>(new Set())
  return (
    <Loaded query={query} what="the fleet" lines={8} since="Fleets">
      {(fleet) => {
        const shown = shownTenants(fleet, search)
        const chosen = shown.filter(({ slug }) => picked.has(slug))
        return (
          <>
            <FleetStrip
              fleet={fleet}
              query={query}
              onOpen={(tenant) => go({ ...withoutSheet(search), tenant })}
            />
            <SheetLayout
              sheet={
                <OpenSheet
                  fleet={fleet}
                  chosen={chosen}
                  search={search}
                  go={go}
                  onApplyTo={(slug) => {
                    setPicked(new Set([slug]))
                    go({ group, sheet: 'apply' })
                  }}
                />
              }
            >
              <FleetList
                fleet={fleet}
                shown={shown}
                chosen={chosen}
                search={search}
                onSearch={go}
                onPick={setPicked}
              />
            </SheetLayout>
          </>
        )
      }}
    </Loaded>
  )
}

function OpenSheet(props: {
  readonly fleet: Fleet
  readonly chosen: readonly FleetTenant[]
  readonly search: FleetSearch
  readonly go: (search: FleetSearch) => void
  readonly onApplyTo: (slug: string) => void
}): ReactElement | undefined {
  const { fleet, chosen, search, go, onApplyTo } = props
  const close = useCallback(() => go(withoutSheet(search)), [go, search])
  const tenant = fleet.tenants.find(({ slug }) => slug === search.tenant)
  if (search.sheet === 'rehearse')
    return <RehearseSheet fleet={fleet} chosen={chosen} onClose={close} />
  if (search.sheet === 'apply') return <ApplySheet fleet={fleet} chosen={chosen} onClose={close} />
  if (search.sheet === 'publish') return <PublishSheet fleet={fleet} onClose={close} />
  if (tenant !== undefined)
    return (
      <TenantSheet
        key={tenant.slug}
        fleet={fleet}
        tenant={tenant}
        onClose={close}
        onApply={() => onApplyTo(tenant.slug)}
      />
    )
  const version = [fleet.template, ...fleet.versions].find((one) => one?.slug === search.tenant)
  if (version === undefined || version === null) return undefined
  return <TemplateSheet key={version.slug} fleet={fleet} version={version} onClose={close} />
}
