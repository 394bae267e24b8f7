// Creates the frames of a judged change (docs/wire/realtime.md#changes). A channel gets one frame for each choice of columns,
// with the ids of all bindings that the change matches. Channels with equal frames share the bytes.

import { type SharedFrame, sharedText } from '../../sockets/frames.ts'
import type { JudgedChange } from '../judge/verdict.ts'
import type { Role } from '../match/ask-postgres.ts'
import type { SharedBinding, Subscriber } from '../subscribe/subscriber.ts'

type Select = readonly string[] | undefined

/** Bindings of a channel that request the same columns share a frame. */
interface Parcel {
  readonly ids: readonly number[]
  readonly select: Select
}

/** Creates the frames of one change. A frame that several channels need is created once. */
export class ChangeFrames {
  readonly #judged: JudgedChange
  readonly #wantedBy: ReadonlySet<SharedBinding>
  readonly #data = new Map<string, string>()
  readonly #frames = new Map<string, SharedFrame>()

  constructor(judged: JudgedChange, wantedBy: ReadonlySet<SharedBinding>) {
    this.#judged = judged
    this.#wantedBy = wantedBy
  }

  /** Sends the subscriber the frames that its bindings request. */
  deliverTo(subscriber: Subscriber): void {
    for (const parcel of parcelsOf(subscriber, this.#wantedBy))
      subscriber.channel.deliver(this.#frameFor(subscriber, parcel))
  }

  #frameFor({ channel, shared }: Subscriber, { ids, select }: Parcel): SharedFrame {
    const { role } = shared.identity
    const list = ids.join()
    const columns = columnsKey(select)
    const key = `${role} ${list} ${columns} ${channel.topic}`
    const known = this.#frames.get(key)
    if (known !== undefined) return known
    const payload = `{"ids":[${list}],"data":${this.#dataFor(role, columns, select)}}`
    const frame = sharedText(channel.topic, 'postgres_changes', payload)
    this.#frames.set(key, frame)
    return frame
  }

  #dataFor(role: Role, columns: string, select: Select): string {
    const key = `${role} ${columns}`
    const known = this.#data.get(key)
    if (known !== undefined) return known
    const only = select === undefined ? undefined : new Set(select)
    const data = this.#judged.dataJson(role, only)
    this.#data.set(key, data)
    return data
  }
}

function columnsKey(select: Select): string {
  return select === undefined ? '' : JSON.stringify([...select].sort())
}

function parcelsOf(
  { bindings }: Subscriber,
  wantedBy: ReadonlySet<SharedBinding>,
): readonly Parcel[] {
  const wanted = bindings.filter(({ binding }) => wantedBy.has(binding))
  const [first] = wanted
  if (first === undefined) return []
  if (wanted.length === 1) return [{ ids: [first.id], select: first.binding.request.select }]
  const parcels = new Map<string, { readonly ids: number[]; readonly select: Select }>()
  for (const { id, binding } of wanted) {
    const { select } = binding.request
    const parcel = parcels.get(columnsKey(select))
    if (parcel === undefined) parcels.set(columnsKey(select), { ids: [id], select })
    else if (!parcel.ids.includes(id)) parcel.ids.push(id)
  }
  return [...parcels.values()]
}
