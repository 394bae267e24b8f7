// Passes matched changes to the judge. Each distinct identity is judged once per change; changes with the same identities are
// judged together.
import type { RowChange } from '../../../../database/changes/row-change.ts'
import type { MatchedChange } from '../match/match-changes.ts'
import type { SharedIdentity, Subscriber } from '../subscribe/subscriber.ts'
import type { ChangeJudge, JudgedChange, Verdict } from './verdict.ts'

export interface Judgement {
  readonly judged: JudgedChange
  verdictFor(subscriber: Subscriber): Verdict | undefined
}

interface Audience {
  readonly identities: readonly SharedIdentity[]
  readonly changes: RowChange[]
}

/** Judges the changes that match at least one binding. @throws {SqlError} when the engine is not running */
export async function judgeOncePerIdentity(
  judge: ChangeJudge,
  matched: readonly MatchedChange[],
): Promise<ReadonlyMap<RowChange, Judgement>> {
  const judgements = new Map<RowChange, Judgement>()
  for (const { identities, changes } of audiencesOf(matched)) {
    const places = new Map(identities.map((shared, place) => [shared, place]))
    const judgedChanges = await judge.judge(
      changes,
      identities.map(({ identity }) => identity),
    )
    for (const judged of judgedChanges)
      judgements.set(judged.change, {
        judged,
        verdictFor: ({ shared }) => judged.verdicts[places.get(shared) ?? -1],
      })
  }
  return judgements
}

function audiencesOf(matched: readonly MatchedChange[]): Iterable<Audience> {
  const audiences = new Map<string, Audience>()
  for (const { change, wantedBy, subscribers } of matched) {
    const identities = new Set<SharedIdentity>()
    for (const subscriber of subscribers)
      if (subscriber.wantsOneOf(wantedBy)) identities.add(subscriber.shared)
    if (identities.size === 0) continue
    const listed = [...identities].sort((one, other) => one.serial - other.serial)
    const key = listed.map(({ serial }) => serial).join()
    const audience = audiences.get(key)
    if (audience === undefined) audiences.set(key, { identities: listed, changes: [change] })
    else audience.changes.push(change)
  }
  return audiences.values()
}
