// The list of the fleet: filters by text and facts, the grid, and the selection of tenants for rehearsing and applying steps.
import { Building2, FlaskConical, ListChecks } from 'lucide-react'
import { type ReactElement, useMemo, useSyncExternalStore } from 'react'
import type { Fleet, FleetTenant } from '../../../emulator/contract/fleet.ts'
import { gridSortOf, orderAfter } from '../../parts/grid-order.ts'
import { Button } from '../../ui/button.tsx'
import { Chip } from '../../ui/chip.tsx'
import { cx } from '../../ui/cx.ts'
import { DataGrid } from '../../ui/data-grid.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { formatNumber } from '../../ui/format.ts'
import { SearchField } from '../../ui/search-field.tsx'
import { Toolbar } from '../../ui/toolbar.tsx'
import { fleetColumns, headHeightOf } from './fleet-columns.tsx'
import { chosenFacts, countFacts, FACTS, type FactName } from './fleet-facts.ts'
import { activeTenants, whyNotApply } from './fleet-model.ts'
import { FLEET_ORDERS, type FleetSearch, withoutSheet } from './fleet-search.ts'
import { targetsOf } from './steps-sheet.tsx'
import { applyLabel, EMPTY, rehearseLabel } from './texts.ts'

export interface FleetListProps {
  readonly fleet: Fleet
  /** The tenants that match the filters, in the chosen order. */
  readonly shown: readonly FleetTenant[]
  /** The selected tenants that match the filters. */
  readonly chosen: readonly FleetTenant[]
  readonly search: FleetSearch
  readonly onSearch: (search: FleetSearch) => void
  readonly onPick: (slugs: ReadonlySet<string>) => void
}

export function FleetList(props: FleetListProps): ReactElement {
  const { fleet, shown, chosen, search, onSearch, onPick } = props
  const isNarrow = useIsNarrow()
  const columns = useMemo(() => fleetColumns(fleet, isNarrow), [fleet, isNarrow])
  const picked = useMemo(() => new Set(chosen.map(slugOf)), [chosen])
  return (
    <>
      <Filters {...props} />
      <DataGrid
        label="Fleet"
        name="fleet"
        columns={columns}
        rows={shown}
        rowKey={slugOf}
        headHeight={headHeightOf(fleet)}
        picking={{ picked, onPick, labelOf: ({ slug }) => `Select ${slug}` }}
        selected={search.tenant}
        onSelect={(tenant) => onSearch({ ...withoutSheet(search), tenant })}
        rowClass={({ state }) => (state === 'deleted' ? 'text-ink-dim' : '')}
        sort={gridSortOf(search)}
        onSort={(column) => onSearch({ ...search, ...orderAfter(search, FLEET_ORDERS, column) })}
        isFirst
        empty={
          <EmptyState
            icon={<Building2 />}
            {...(fleet.tenants.length === 0 ? EMPTY.tenants : EMPTY.matches)}
          />
        }
      />
    </>
  )
}

function slugOf({ slug }: FleetTenant): string {
  return slug
}

function Filters({ fleet, chosen, search, onSearch }: FleetListProps): ReactElement {
  const facts = chosenFacts(search)
  const counts = countFacts(fleet)
  const chosenTenants = targetsOf(chosen)
  const targets = chosenTenants.length
  const whyNot = whyNotApply(fleet, chosenTenants)
  const toggle = (fact: FactName) => {
    const next = facts.has(fact) ? [...facts].filter((one) => one !== fact) : [...facts, fact]
    onSearch({ ...search, facts: next.join(',') || undefined })
  }
  return (
    <Toolbar
      label="Filter tenants"
      actions={
        fleet.steps_given_at !== null && fleet.template !== null ? (
          <>
            <Button
              icon={<FlaskConical />}
              onClick={() => onSearch({ ...withoutSheet(search), sheet: 'rehearse' })}
            >
              {rehearseLabel(targets, activeTenants(fleet).length)}…
            </Button>
            <Button
              tone={whyNot === undefined ? 'primary' : 'plain'}
              icon={<ListChecks />}
              disabled={whyNot !== undefined}
              title={whyNot}
              onClick={() => onSearch({ ...withoutSheet(search), sheet: 'apply' })}
            >
              {applyLabel(targets)}…
            </Button>
          </>
        ) : undefined
      }
    >
      <SearchField
        label="Search tenants"
        placeholder="Slug or external ID…"
        className="w-48"
        value={search.q ?? ''}
        onChange={(q) => onSearch({ ...search, q: q || undefined })}
      />
      <fieldset className="flex flex-wrap gap-1">
        <legend className="sr-only">Facts</legend>
        {[...new Set([...counts.keys(), ...facts])].map((fact) => (
          <button
            key={fact}
            type="button"
            aria-pressed={facts.has(fact)}
            onClick={() => toggle(fact)}
            className={cx(
              'flex h-7 items-center gap-2 rounded-1 border px-2 transition-colors',
              facts.has(fact)
                ? 'border-accent bg-surface-3'
                : 'border-transparent hover:bg-surface-2',
            )}
          >
            <Chip tone={FACTS[fact].tone}>{FACTS[fact].word}</Chip>
            <span className="text-small tabular-nums">{formatNumber(counts.get(fact) ?? 0)}</span>
          </button>
        ))}
      </fieldset>
    </Toolbar>
  )
}

const NARROW = '(max-width: 1100px)'

/** Whether the window is too narrow for all columns. */
function useIsNarrow(): boolean {
  return useSyncExternalStore(
    (onChange) => {
      const query = window.matchMedia(NARROW)
      query.addEventListener('change', onChange)
      return () => query.removeEventListener('change', onChange)
    },
    () => window.matchMedia(NARROW).matches,
  )
}
