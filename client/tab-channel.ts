// Notifies all clients that share a storage of changes. Clients in the same page or process find each other by the storage
// object. Tabs use the browser's `storage` event, or a BroadcastChannel when the application passed its own storage.
import type { TextStorage } from './text-storage.ts'

/** Sends change notifications to the other clients of one storage. */
export interface TabChannel {
  announce(): void
  close(): void
}

/** Runs `onChange` when another client of the storage has changed `name`. `own` is the page's `localStorage`. */
export function joinTabs(
  name: string,
  storage: TextStorage,
  onChange: () => void,
  own: TextStorage | undefined,
): TabChannel {
  const channels = [neighbours(storage, onChange)]
  if (storage === own) channels.push(storageEvents(name, onChange))
  else if (typeof document !== 'undefined') channels.push(broadcasts(name, onChange))
  return {
    announce() {
      for (const channel of channels) channel.announce()
    },
    close() {
      for (const channel of channels) channel.close()
    },
  }
}

const listeners = new WeakMap<TextStorage, Set<() => void>>()

function neighbours(storage: TextStorage, onChange: () => void): TabChannel {
  const all = listeners.get(storage) ?? new Set()
  listeners.set(storage, all)
  all.add(onChange)
  return {
    announce() {
      for (const listener of all) if (listener !== onChange) listener()
    },
    close: () => all.delete(onChange),
  }
}

// The browser sends the `storage` event only to other tabs, and only when those tabs can read the new value.
function storageEvents(name: string, onChange: () => void): TabChannel {
  const listener = ({ key }: StorageEvent): void => {
    if (key === name || key === null) onChange()
  }
  addEventListener('storage', listener)
  return { announce: () => undefined, close: () => removeEventListener('storage', listener) }
}

function broadcasts(name: string, onChange: () => void): TabChannel {
  const channel = new BroadcastChannel(name)
  channel.onmessage = onChange
  return { announce: () => channel.postMessage('changed'), close: () => channel.close() }
}
