// Saves the platform's state into a passing folder, which is no snapshot. Bundles read it from there.
import type { TrafficGate } from '../../server/traffic-gate.ts'
import type { PlatformStates } from './platform-states.ts'
import type { SnapshotFolder, StateFolder } from './snapshot-folder.ts'

export interface Aside<Facts> {
  readonly folder: StateFolder
  readonly facts: Facts
  remove(): void
}

interface AsideDeps {
  readonly states: Pick<PlatformStates, 'save'>
  readonly folder: Pick<SnapshotFolder, 'addPassing'>
  readonly parts: { readonly gate: Pick<TrafficGate, 'alone'> }
}

export interface AsideOrder {
  /** Without the state, the folder is empty. */
  readonly withState: boolean
}

/** @param read returns facts of the moment at which the state is saved @throws {InspectorError} `busy` */
export async function saveAside<Facts>(
  { states, folder, parts }: AsideDeps,
  { withState }: AsideOrder,
  read: () => Facts,
): Promise<Aside<Facts>> {
  const aside = folder.addPassing()
  try {
    if (!withState) return { ...aside, facts: read() }
    const facts = await parts.gate.alone(async () => {
      await states.save(aside.folder)
      return read()
    })
    return { ...aside, facts }
  } catch (error) {
    aside.remove()
    throw error
  }
}
