// The one file of the renderer that may ask the machine for the time. Platform time is the emulator's own: wall time moved by
// the offset that GET /_emulator/v1/clock and the event stream tell, or standing still while it is frozen.
import type { ClockState } from '../../emulator/contract/clock.ts'

/** Milliseconds since 1970 by this machine. */
export function wallNow(): number {
  return Date.now()
}

/** Milliseconds since 1970 of an ISO 8601 text; `undefined` when it is none. */
export function parseInstant(text: string): number | undefined {
  const millis = Date.parse(text)
  return Number.isNaN(millis) ? undefined : millis
}

/** `2026-11-21T10:00:00.000Z`. */
export function isoOf(epochMillis: number): string {
  return new Date(epochMillis).toISOString()
}

/** Runs `task` once after wall milliseconds; the answer cancels it. */
export function after(millis: number, task: () => void): () => void {
  const timer = setTimeout(task, millis)
  return () => clearTimeout(timer)
}

/** Runs `task` every `millis` wall milliseconds; the answer ends it. */
export function every(millis: number, task: () => void): () => void {
  const timer = setInterval(task, millis)
  return () => clearInterval(timer)
}

/** What platform time was when we were told, and when that was. */
export interface ClockReading {
  readonly state: ClockState
  /** Wall milliseconds since 1970 when the state arrived. */
  readonly readAt: number
}

/** Platform time in milliseconds since 1970: the reading plus what passed since, unless it stands still. Pure. */
export function platformTimeAt(reading: ClockReading | undefined, wallMillis: number): number {
  if (reading === undefined) return wallMillis
  const told = Date.parse(reading.state.now)
  if (Number.isNaN(told)) return wallMillis
  return reading.state.frozen ? told : told + Math.max(0, wallMillis - reading.readAt)
}
