// The only file of the renderer that reads the machine's clock. Platform time is the emulator's time: wall time plus an offset,
// or a fixed instant while the clock is frozen. GET /_emulator/v1/clock and the event stream report it.
import type { ClockState } from '../../emulator/contract/clock.ts'

/** This machine's time in milliseconds since 1970. */
export function wallNow(): number {
  return Date.now()
}

/** Converts ISO 8601 text to milliseconds since 1970. Returns `undefined` for any other text. */
export function parseInstant(text: string): number | undefined {
  const millis = Date.parse(text)
  return Number.isNaN(millis) ? undefined : millis
}

/** Formats milliseconds since 1970 as `2026-11-21T10:00:00.000Z`. */
export function isoOf(epochMillis: number): string {
  return new Date(epochMillis).toISOString()
}

/** Runs `task` once after `millis` wall-clock milliseconds. Returns a function that cancels it. */
export function after(millis: number, task: () => void): () => void {
  const timer = setTimeout(task, millis)
  return () => clearTimeout(timer)
}

/** Runs `task` every `millis` wall-clock milliseconds. Returns a function that stops it. */
export function every(millis: number, task: () => void): () => void {
  const timer = setInterval(task, millis)
  return () => clearInterval(timer)
}

/** The longest wait for an idle page, in wall-clock milliseconds. */
const MOST_WAITING = 500

/** Runs `task` when the page has drawn everything and nothing else to do. Returns a function that cancels it. */
export function whenIdle(task: () => void): () => void {
  // Safari has no idle callbacks.
  if (globalThis.requestIdleCallback === undefined) return after(MOST_WAITING, task)
  const waiting = requestIdleCallback(task, { timeout: MOST_WAITING })
  return () => cancelIdleCallback(waiting)
}

/** A reported state of the platform clock, and the time when it arrived. */
export interface ClockReading {
  readonly state: ClockState
  /** Wall-clock milliseconds since 1970 when the state arrived. */
  readonly readAt: number
}

/** How far the platform clock may differ from the emulator's wall clock before screens call it moved. */
const MOVED_MILLIS = 2_000

/** Whether the platform clock was moved or frozen, so that it differs from the emulator's wall clock. Pure. */
export function isClockMoved(reading: ClockReading | undefined): boolean {
  return Math.abs(reading?.state.offset_ms ?? 0) > MOVED_MILLIS
}

/**
 * The emulator's wall-clock time in milliseconds since 1970. It differs from this machine's time when the page shows an emulator
 * on another machine. Pure.
 */
export function wallTimeAt(reading: ClockReading | undefined, wallMillis: number): number {
  if (reading === undefined) return wallMillis
  const now = Date.parse(reading.state.now)
  if (Number.isNaN(now)) return wallMillis
  return now - reading.state.offset_ms + Math.max(0, wallMillis - reading.readAt)
}

/**
 * Platform time in milliseconds since 1970: the last reading plus the wall time since then. A frozen clock adds nothing. Pure.
 */
export function platformTimeAt(reading: ClockReading | undefined, wallMillis: number): number {
  if (reading === undefined) return wallMillis
  const now = Date.parse(reading.state.now)
  if (Number.isNaN(now)) return wallMillis
  return reading.state.frozen ? now : now + Math.max(0, wallMillis - reading.readAt)
}
