// Reads the access chain of the newest recorded request, in a form that tests can compare in one line.
import type { AccessChain, ChainLink } from '../../emulator/contract/explain.ts'
import type { JournalPage } from '../../emulator/contract/journal.ts'
import type { TestEmulator } from './test-emulator.ts'

export interface ReadChain extends AccessChain {
  /** The first broken link; `null` when no link is broken. */
  readonly broken: ChainLink['link'] | null
  readonly stateOf: Readonly<Partial<Record<ChainLink['link'], ChainLink['state']>>>
}

/** Reads the chain of the newest request. Ignores requests to the emulator's own API. */
export async function newestChain({ call }: TestEmulator): Promise<ReadChain> {
  const journal = await call<JournalPage>('GET', '/_emulator/v1/journal?limit=30')
  const entry = journal.body.entries.find(({ service }) => service !== 'inspector')
  if (entry === undefined) throw new Error('the journal is empty')
  const answer = await call<AccessChain>('GET', `/_emulator/v1/journal/${entry.request_id}/chain`)
  if (answer.status !== 200) throw new Error(answer.text)
  const { links } = answer.body
  return {
    ...answer.body,
    broken: links.find(({ state }) => state === 'broken')?.link ?? null,
    stateOf: Object.fromEntries(links.map(({ link, state }) => [link, state])),
  }
}
