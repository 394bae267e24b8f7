// Loads the code of the other screens in advance, so that a screen that the user opens waits only for its data.
import { queryClient } from '../api/query-client.ts'
import { after, whenIdle } from '../api/time.ts'

/** The interval of checks whether the open screen is complete, in wall-clock milliseconds. */
const PAUSE = 500

export interface LoadableScreen {
  /** Loads the screen's code. A file that failed to load is requested again when the screen opens. */
  readonly preload?: (() => Promise<void> | undefined) | undefined
}

/**
 * Loads one screen at a time, while the open screen loads nothing and the browser is idle. Returns a function that stops the
 * loading.
 */
export function loadScreensAhead(screens: readonly LoadableScreen[]): () => void {
  const left = [...screens]
  let cancel = () => {}
  let isStopped = false
  const wait = () => {
    cancel = after(PAUSE, next)
  }
  const next = () => {
    if (isStopped || left.length === 0) return
    if (queryClient.isFetching() > 0) wait()
    else cancel = whenIdle(() => void Promise.resolve(left.shift()?.preload?.()).then(next))
  }
  wait()
  return () => {
    isStopped = true
    cancel()
  }
}
