// Subscribes a channel to the changes in its `config.postgres_changes`, after the join and again with each new token. Reports
// the result with `system` messages (docs/wire/realtime.md#changes).
import type { Cancel } from '../../../../core/clock.ts'
import type { JsonObject } from '../../../../core/json.ts'
import type { SchemaName } from '../../../../core/names.ts'
import { SECOND_MILLIS } from '../../../../core/time.ts'
import { ChangePipeline, type ChangePipelineDeps } from '../change-pipeline.ts'
import {
  bindingIdOf,
  type ChangeChannel,
  type ChangeSubscriptions,
  type ChannelChanges,
} from '../change-subscriptions.ts'
import { parseChangeRequest, SubscriptionError } from './change-request.ts'
import type { Subscriber } from './subscriber.ts'

/** Creates the subscriptions of all projects. */
export function createChangeSubscriptions(deps: ChangePipelineDeps): ChangeSubscriptions {
  const projects: ChangingProjects = new Map()
  return { open: (channel, requests) => new ChannelSubscription(deps, projects, channel, requests) }
}

/** The pipelines of all projects that have subscribers. */
type ChangingProjects = Map<SchemaName, ChangePipeline>

/** Upstream retries after 5 to 10 seconds, unless the request itself is invalid. */
const RETRY_MILLIS = 5 * SECOND_MILLIS

/** Maximum number of requests in one channel. Upstream limits only the size of the frame. */
const MAX_REQUESTS = 100
const TOO_MANY_REQUESTS = `Too many postgres_changes in one channel. Maximum ${MAX_REQUESTS}`

interface Subscribed {
  readonly project: ChangePipeline
  readonly schemaName: SchemaName
  readonly subscriber: Subscriber
}

class ChannelSubscription implements ChannelChanges {
  readonly bindings: readonly JsonObject[]
  readonly #deps: ChangePipelineDeps
  readonly #projects: ChangingProjects
  readonly #channel: ChangeChannel
  readonly #requests: readonly JsonObject[]
  #current: Subscribed | undefined
  /** Increases with every attempt. An attempt that finds a higher number has been replaced. */
  #attempt = 0
  #stopRetry: Cancel = () => undefined

  constructor(
    deps: ChangePipelineDeps,
    projects: ChangingProjects,
    channel: ChangeChannel,
    requests: readonly JsonObject[],
  ) {
    this.#deps = deps
    this.#projects = projects
    this.#channel = channel
    this.#requests = requests
    this.bindings = requests.map((request) => ({ ...request, id: bindingIdOf(request) }))
  }

  start(): void {
    this.#stopRetry()
    this.#subscribe(++this.#attempt).catch((error: unknown) => {
      this.#deps.observe({ kind: 'internalFailure', requestId: 'realtime', error })
    })
  }

  tokenChanged(): void {
    this.start()
  }

  close(): void {
    this.#attempt++
    this.#stopRetry()
    this.#leave()
  }

  async #subscribe(attempt: number): Promise<void> {
    const { schemaName } = this.#channel.token
    const project = this.#projects.get(schemaName) ?? new ChangePipeline(schemaName, this.#deps)
    this.#projects.set(schemaName, project)
    try {
      if (this.#requests.length > MAX_REQUESTS)
        throw new SubscriptionError('malformed_request', TOO_MANY_REQUESTS)
      const requests = this.#requests.map((request) => ({
        request: parseChangeRequest(request),
        id: bindingIdOf(request),
      }))
      const subscriber = await project.prepare(this.#channel, requests)
      if (attempt === this.#attempt) this.#enter({ project, schemaName, subscriber })
      else project.leave(subscriber)
    } catch (error) {
      if (attempt === this.#attempt) this.#refuse(error)
    }
    this.#forgetIfEmpty(schemaName)
  }

  #enter(next: Subscribed): void {
    const before = this.#current
    const isSameProject = before?.project === next.project
    next.project.enter(next.subscriber, isSameProject ? before.subscriber : undefined)
    if (!isSameProject) this.#leave()
    this.#current = next
    this.#channel.tell('ok', 'Subscribed to PostgreSQL')
  }

  // A refusal also ends the subscription of the previous token.
  #refuse(error: unknown): void {
    this.#leave()
    this.#channel.tell('error', error instanceof Error ? error.message : String(error))
    if (error instanceof SubscriptionError) return
    this.#stopRetry = this.#deps.wallClock.after(RETRY_MILLIS, () => this.start())
  }

  #leave(): void {
    const left = this.#current
    this.#current = undefined
    if (left === undefined) return
    left.project.leave(left.subscriber)
    this.#forgetIfEmpty(left.schemaName)
  }

  #forgetIfEmpty(schemaName: SchemaName): void {
    if (this.#projects.get(schemaName)?.isEmpty === true) this.#projects.delete(schemaName)
  }
}
