// Runs the uploads of the storage screen, two at a time. Each upload has its progress, and the reason of a refusal. The
// user can cancel uploads.
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import type { IdentityReference } from '../../../emulator/contract/identities.ts'
import { renewLists } from '../../api/storage.ts'
import { uploadObject } from '../../api/storage-upload.ts'

export interface UploadPlace {
  readonly project: string
  readonly identity: IdentityReference
  /** The bucket's full name. */
  readonly bucket: string
}

export interface UploadJob {
  readonly id: number
  readonly key: string
  readonly size: number
  readonly sent: number
  readonly state: 'waiting' | 'sending' | 'done' | 'refused' | 'cancelled'
  readonly error: unknown
}

export interface Uploads {
  readonly jobs: readonly UploadJob[]
  readonly add: (
    place: UploadPlace,
    files: readonly { readonly key: string; readonly file: Blob }[],
    isReplacing?: boolean,
  ) => void
  /** Uploads the file again and replaces the existing object. */
  readonly replace: (id: number) => void
  readonly cancel: (id: number) => void
  /** Removes ended uploads from the list. */
  readonly clear: () => void
}

interface Order {
  readonly place: UploadPlace
  readonly file: Blob
  readonly key: string
  readonly controller: AbortController
  readonly isReplacing: boolean
}

const AT_ONCE = 2

export function useUploads(): Uploads {
  const [jobs, setJobs] = useState<readonly UploadJob[]>([])
  const orders = useRef(new Map<number, Order>())
  const waiting = useRef<number[]>([])
  const sending = useRef(0)
  const lastId = useRef(0)
  const client = useQueryClient()
  useEffect(() => {
    const all = orders.current
    return () => {
      for (const { controller } of all.values()) controller.abort()
    }
  }, [])
  const edit = (id: number, change: Partial<UploadJob>) =>
    setJobs((before) => before.map((job) => (job.id === id ? { ...job, ...change } : job)))

  const send = async (id: number) => {
    const order = orders.current.get(id)
    if (order === undefined) return
    const { place, file, key, controller, isReplacing } = order
    edit(id, { state: 'sending' })
    try {
      await uploadObject({ ...place, key }, file, {
        isReplacing,
        signal: controller.signal,
        onProgress: (sent) => edit(id, { sent }),
      })
      edit(id, { state: 'done', sent: file.size })
    } catch (error) {
      edit(id, { state: controller.signal.aborted ? 'cancelled' : 'refused', error })
    }
    void renewLists(client, place.project)
  }
  const pump = () => {
    while (sending.current < AT_ONCE) {
      const id = waiting.current.shift()
      if (id === undefined) return
      sending.current += 1
      void send(id).finally(() => {
        sending.current -= 1
        pump()
      })
    }
  }
  const add: Uploads['add'] = (place, files, isReplacing = false) => {
    const added = files.map(({ key, file }) => {
      lastId.current += 1
      const id = lastId.current
      orders.current.set(id, { place, file, key, isReplacing, controller: new AbortController() })
      waiting.current.push(id)
      return { id, key, size: file.size, sent: 0, state: 'waiting', error: undefined } as const
    })
    setJobs((before) => [...before, ...added])
    pump()
  }
  return {
    jobs,
    add,
    replace: (id) => {
      const order = orders.current.get(id)
      if (order === undefined) return
      setJobs((before) => before.filter((job) => job.id !== id))
      add(order.place, [order], true)
    },
    cancel: (id) => {
      orders.current.get(id)?.controller.abort()
      if (waiting.current.includes(id)) edit(id, { state: 'cancelled' })
      waiting.current = waiting.current.filter((one) => one !== id)
    },
    clear: () =>
      setJobs((before) => before.filter(({ state }) => state === 'waiting' || state === 'sending')),
  }
}
