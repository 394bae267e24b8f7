// The columns of the fleet's grid: facts about a tenant, and one narrow column for each step.
import type { ReactElement } from 'react'
import type { Fleet, FleetTenant } from '../../../emulator/contract/fleet.ts'
import {
  ClonedVersion,
  DifferencesChip,
  newestOf,
  STRUCTURE_TITLE,
  StepsChip,
  stepsWidth,
  TenantName,
} from '../../parts/project-facts.tsx'
import { Chip } from '../../ui/chip.tsx'
import type { GridColumn } from '../../ui/data-grid.tsx'
import { formatNumber } from '../../ui/format.ts'
import { Bytes, Timestamp } from '../../ui/timestamp.tsx'
import { middleTruncate } from '../../ui/truncate.ts'
import { type StepColumn, stateIn, stepColumns } from './fleet-model.ts'
import type { FleetOrder } from './fleet-search.ts'
import { StepMark } from './step-mark.tsx'

/** The list can be sorted only by the ids in `FleetOrder`, so a column with another id cannot have `canSort`. */
type Column = GridColumn<FleetTenant> &
  ({ readonly id: FleetOrder } | { readonly id: string; readonly canSort?: false })

const NONE = <span className="text-ink-dim">–</span>

const TENANT: Column = {
  id: 'tenant',
  header: 'Tenant',
  min: 168,
  isMono: true,
  canSort: true,
  render: ({ external_id: id, slug }) => <TenantName slug={slug} externalId={id} />,
}

function versionColumn(fleet: Fleet): Column {
  const newest = newestOf(fleet)
  return {
    id: 'version',
    header: 'Version',
    width: 92,
    canSort: true,
    title: 'Template version that the tenant was cloned from',
    render: ({ template_version: version }) => <ClonedVersion version={version} newest={newest} />,
  }
}

function stepsColumn(fleet: Fleet): Column {
  return {
    id: 'steps',
    header: 'Steps',
    // The column is wider when a tenant has a second chip.
    width: fleet.tenants.some(({ rehearsal_failure: failure }) => failure !== null)
      ? 262
      : stepsWidth(fleet),
    canSort: true,
    render: (tenant) => <TenantSteps tenant={tenant} />,
  }
}

/** Shows the fact about a tenant's steps, and whether the last rehearsal of its pending steps failed. */
export function TenantSteps({ tenant }: { readonly tenant: FleetTenant }): ReactElement {
  const { facts, rehearsal_failure: failure, state } = tenant
  if (state === 'deleted') return <Chip>removed</Chip>
  return (
    <span className="flex gap-1">
      <StepsChip fact={facts.steps} />
      {failure !== null && (
        <Chip tone="refused" title={failure}>
          would fail
        </Chip>
      )}
    </span>
  )
}

const DIFFERENCES: Column = {
  id: 'differences',
  header: 'Structure',
  title: STRUCTURE_TITLE,
  width: 152,
  canSort: true,
  render: ({ facts, state }) =>
    state === 'deleted' ? NONE : <DifferencesChip fact={facts.differences} isShort />,
}

const FACTS: readonly Column[] = [
  {
    id: 'users',
    leaves: 3,
    header: 'Users',
    width: 68,
    align: 'end',
    canSort: true,
    render: ({ users }) => (users === null ? NONE : formatNumber(users)),
  },
  {
    id: 'size',
    leaves: 2,
    header: 'Total size',
    width: 92,
    align: 'end',
    canSort: true,
    title: 'Rows, indexes and files',
    render: ({ size_bytes: bytes }) => (bytes === null ? NONE : <Bytes bytes={bytes} />),
  },
  {
    id: 'active',
    leaves: 1,
    header: 'Last request',
    width: 108,
    align: 'end',
    canSort: true,
    render: ({ last_request_at: at }) => <Timestamp at={at} isPast />,
  },
]

/** @param isNarrow whether the columns of steps come before users and sizes, so that a narrow window shows the steps */
export function fleetColumns(fleet: Fleet, isNarrow: boolean): readonly Column[] {
  const all = stepColumns(fleet)
  const steps = all.map((step, index) => columnOf(step, bandLength(all, index)))
  const first = [TENANT, versionColumn(fleet), stepsColumn(fleet), DIFFERENCES]
  return isNarrow ? [...first, ...steps, ...FACTS] : [...first, ...FACTS, ...steps]
}

/** Returns the number of columns from `index` to the heading of the next version. */
function bandLength(all: readonly StepColumn[], index: number): number {
  const next = all.findIndex(({ band }, at) => at > index && band !== undefined)
  return (next === -1 ? all.length : next) - index
}

const STEP_WIDTH = 30
/** Letters of a step’s name in its header. Names often differ only at their ends. */
const STEP_LETTERS = 16

/** @param columns number of columns over which the heading of this version can extend */
function columnOf(step: StepColumn, columns: number): Column {
  const { band, file, id, name } = step
  return {
    id,
    header: <StepHead step={step} />,
    label: band === undefined ? name : `${name} (${band})`,
    title: file ?? name,
    width: Math.max(STEP_WIDTH, 12 + 7 * (band?.length ?? 0) - STEP_WIDTH * (columns - 1)),
    min: STEP_WIDTH,
    isMark: true,
    render: ({ steps }) => <StepMark state={stateIn(steps, step)} name={name} />,
  }
}

function StepHead({ step: { band, name } }: { readonly step: StepColumn }): ReactElement {
  return (
    <>
      {band !== undefined && (
        <span className="absolute inset-y-0 left-0 z-10 border-l border-line-strong pt-1 pl-1 whitespace-nowrap text-ink">
          {band}
        </span>
      )}
      <span className="absolute inset-x-0 top-6 bottom-1 flex justify-center">
        <span className="max-h-full truncate font-mono [writing-mode:vertical-rl] rotate-180">
          {middleTruncate(name, STEP_LETTERS)}
        </span>
      </span>
    </>
  )
}

/** Returns the height of the header in px. It has room for the versions and for the longest name of a step, up to a limit. */
export function headHeightOf(fleet: Fleet): number {
  const longest = Math.max(0, ...stepColumns(fleet).map(({ name }) => name.length))
  return longest === 0 ? 28 : 36 + 7 * Math.min(STEP_LETTERS, longest)
}
