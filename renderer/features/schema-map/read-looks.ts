// The colours in which the map shows what an identity reads of a table. Tables that a stranger can read have the colours of the
// audit.
import type { Identity } from '../../../emulator/contract/identities.ts'
import type { ReadableTable } from '../../../emulator/contract/readable-tables.ts'
import { exposureOfRows } from '../../parts/exposure.ts'
import type { Tone } from '../../ui/chip.tsx'

/** `open`: a stranger reads all rows. `wide`: a stranger reads some rows. `ReadableTable` explains the other values. */
export type ReadLook = 'open' | 'wide' | ReadableTable['reads']

export interface DrawnReads extends ReadableTable {
  readonly look: ReadLook
}

export function drawnReads(table: ReadableTable, identity: Identity): DrawnReads {
  const exposure = exposureOfRows(identity, table.reads)
  return { ...table, look: exposure === 'open' || exposure === 'wide' ? exposure : table.reads }
}

interface Looks {
  /** Fill of a box's head. */
  readonly fill: string
  /** Fill of the bar at a box's foot. */
  readonly bar: string
  /** Colour of the dot in the legend. */
  readonly swatch: string
  readonly tone: Tone
}

/** The name of the pattern in the drawing that hatches refused tables. */
export const REFUSED_PATTERN = 'map-refused'

/** The looks are in the order of the legend. */
export const READ_LOOKS: Readonly<Record<ReadLook, Looks>> = {
  open: {
    fill: 'fill-refused/25',
    bar: 'fill-refused',
    swatch: 'bg-refused',
    tone: 'refused',
  },
  wide: { fill: 'fill-clock/25', bar: 'fill-clock', swatch: 'bg-clock', tone: 'clock' },
  all: { fill: 'fill-allowed/25', bar: 'fill-allowed', swatch: 'bg-allowed', tone: 'allowed' },
  some: { fill: 'fill-changed/25', bar: 'fill-changed', swatch: 'bg-changed', tone: 'changed' },
  none: { fill: 'fill-unknown/25', bar: 'fill-unknown', swatch: 'bg-unknown', tone: 'neutral' },
  empty: { fill: 'fill-surface-2', bar: 'fill-unknown', swatch: 'bg-surface-0', tone: 'neutral' },
  refused: {
    fill: 'fill-[url(#map-refused)]',
    bar: 'fill-unknown',
    swatch: 'hidden-row',
    tone: 'hidden',
  },
  unknown: {
    fill: 'fill-surface-3',
    bar: 'fill-unknown',
    swatch: 'bg-surface-3',
    tone: 'unknown',
  },
}
