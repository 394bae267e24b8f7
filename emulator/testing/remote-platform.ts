// Calls an emulator through its URL.
import type { Platform } from './platform.ts'

export function remotePlatform(url: string, adminToken?: string): Platform {
  return { origin: new URL(url).origin, send: (request) => fetch(request), adminToken }
}
