// Fills a temporary folder outside the list of snapshots, while no request runs. A bundle is packed from this folder.
import type { TrafficGate } from '../../server/traffic-gate.ts'
import type { SnapshotFolder, StateFolder } from './snapshot-folder.ts'

export interface Aside<Facts> {
  readonly folder: StateFolder
  readonly facts: Facts
  remove(): void
}

interface AsideDeps {
  readonly folder: Pick<SnapshotFolder, 'addPassing'>
  readonly gate: Pick<TrafficGate, 'alone'>
}

export interface AsideOrder {
  /** When false, the state is not saved and requests continue. */
  readonly withState: boolean
}

/** @param fill writes into the folder, and returns facts about the state at that moment @throws {InspectorError} `busy` */
export async function saveAside<Facts>(
  { folder, gate }: AsideDeps,
  { withState }: AsideOrder,
  fill: (folder: StateFolder) => Promise<Facts>,
): Promise<Aside<Facts>> {
  const aside = folder.addPassing()
  try {
    const work = (): Promise<Facts> => fill(aside.folder)
    return { ...aside, facts: await (withState ? gate.alone(work) : work()) }
  } catch (error) {
    aside.remove()
    throw error
  }
}
