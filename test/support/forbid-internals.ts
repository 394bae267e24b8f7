// Preloaded with `node --import`, also into threads. Takes away what makes the emulator faster but is no promise of Node or V8.
// Each refused attempt adds a line to the file FORBIDDEN_LOG.
import { appendFileSync } from 'node:fs'
import inspector from 'node:inspector'
import { syncBuiltinESMExports } from 'node:module'
import v8 from 'node:v8'

function refuse(name: string): undefined {
  appendFileSync(process.env['FORBIDDEN_LOG'] ?? '', `${name}\n`)
}

function forbidCall(owner: object, name: string): void {
  const value = () => {
    refuse(name)
    throw new Error(`${name} is forbidden`)
  }
  Object.defineProperty(owner, name, { value })
}

// As in an older V8, which has no such function.
function forbidMember(owner: object, name: string): void {
  Object.defineProperty(owner, name, { get: () => refuse(name) })
}

forbidCall(v8, 'setFlagsFromString')
forbidCall(inspector.Session.prototype, 'connect')
forbidCall(Atomics, 'wait')
forbidMember(Atomics, 'waitAsync')
forbidMember(ArrayBuffer.prototype, 'transfer')
// The cancel flags cannot be reached: memory does not look shared.
Object.defineProperty(SharedArrayBuffer, Symbol.hasInstance, { value: () => false })
syncBuiltinESMExports()
