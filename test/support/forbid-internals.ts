// Preloaded with `node --import`, also into threads. Removes features that make the emulator faster, but that Node.js and V8 do
// not guarantee. Each refused attempt adds a line to the file FORBIDDEN_LOG.
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

// Makes a member `undefined`, as in an older V8 without this function.
function forbidMember(owner: object, name: string): void {
  Object.defineProperty(owner, name, { get: () => refuse(name) })
}

forbidCall(v8, 'setFlagsFromString')
forbidCall(inspector.Session.prototype, 'connect')
forbidCall(Atomics, 'wait')
forbidMember(Atomics, 'waitAsync')
forbidMember(ArrayBuffer.prototype, 'transfer')
// Makes shared memory look unshared, so that the emulator cannot set its cancel flags.
Object.defineProperty(SharedArrayBuffer, Symbol.hasInstance, { value: () => false })
syncBuiltinESMExports()
