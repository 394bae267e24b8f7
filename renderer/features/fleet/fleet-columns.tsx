// The columns of the fleet's grid: facts about a tenant, and one narrow column for each step.
import type { ReactElement } from 'react'
import type { Fleet, FleetState, FleetTenant } from '../../../emulator/contract/fleet.ts'
import { Chip, type Tone } from '../../ui/chip.tsx'
import type { GridColumn } from '../../ui/data-grid.tsx'
import { formatNumber } from '../../ui/format.ts'
import { Bytes, Timestamp } from '../../ui/timestamp.tsx'
import { type StepColumn, stateIn, stepColumns } from './fleet-model.ts'
import type { FleetOrder } from './fleet-search.ts'
import { StepMark } from './step-mark.tsx'
import { STATES } from './texts.ts'

/** The list sorts by the ids of `FleetOrder` only, so a column with another id cannot have `canSort`. */
type Column = GridColumn<FleetTenant> &
  ({ readonly id: FleetOrder } | { readonly id: string; readonly canSort?: false })

const NONE = <span className="text-ink-dim">–</span>

const TENANT: Column = {
  id: 'tenant',
  header: 'Tenant',
  min: 168,
  isMono: true,
  canSort: true,
  render: ({ external_id: id, slug }) => (
    <span title={id === null ? slug : `${slug} · ${id}`}>
      {slug}
      {id !== null && <span className="pl-2 text-ink-dim">{id}</span>}
    </span>
  ),
}

const VERSION: Column = {
  id: 'version',
  header: 'Version',
  width: 80,
  isMono: true,
  canSort: true,
  title: 'Template version that the tenant was cloned from',
  render: ({ template_version: version }) => (version === null ? NONE : `v${version}`),
}

const STATE: Column = {
  id: 'state',
  header: 'State',
  width: 108,
  canSort: true,
  render: ({ state, problem }) => <StateChip state={state} problem={problem} />,
}

const FACTS: readonly Column[] = [
  {
    id: 'users',
    header: 'Users',
    width: 68,
    align: 'end',
    canSort: true,
    render: ({ users }) => (users === null ? NONE : formatNumber(users)),
  },
  {
    id: 'size',
    header: 'Size',
    width: 80,
    align: 'end',
    canSort: true,
    title: 'Rows, indexes and files',
    render: ({ size_bytes: bytes }) => (bytes === null ? NONE : <Bytes bytes={bytes} />),
  },
  {
    id: 'active',
    header: 'Last request',
    width: 108,
    align: 'end',
    canSort: true,
    render: ({ last_request_at: at }) => <Timestamp at={at} />,
  },
]

/** @param isNarrow whether the steps stand before users and sizes, so that a narrow window shows the steps */
export function fleetColumns(fleet: Fleet, isNarrow: boolean): readonly Column[] {
  const steps = stepColumns(fleet).map(columnOf)
  return isNarrow
    ? [TENANT, VERSION, STATE, ...steps, ...FACTS]
    : [TENANT, VERSION, STATE, ...FACTS, ...steps]
}

function columnOf(step: StepColumn): Column {
  const { band, file, id, name } = step
  return {
    id,
    header: <StepHead step={step} />,
    label: band === undefined ? name : `${name} (${band})`,
    title: file ?? name,
    width: 30,
    min: 30,
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
          {name}
        </span>
      </span>
    </>
  )
}

/** Height of the header, in px: room for the versions and for the longest name of a step, up to a limit. */
export function headHeightOf(fleet: Fleet): number {
  const longest = Math.max(0, ...stepColumns(fleet).map(({ name }) => name.length))
  return longest === 0 ? 28 : Math.min(132, 36 + 7 * longest)
}

const TONES: Readonly<Record<FleetState, Tone>> = {
  up_to_date: 'allowed',
  behind: 'clock',
  drifted: 'changed',
  conflict: 'refused',
  rehearsal_failed: 'refused',
  unknown: 'unknown',
  deleted: 'neutral',
}

export function StateChip(props: {
  readonly state: FleetState
  readonly problem?: string | null
}): ReactElement {
  const { state, problem } = props
  return (
    <Chip tone={TONES[state]} title={problem ?? STATES[state].detail}>
      {STATES[state].word}
    </Chip>
  )
}
