// Connects the ports of injected faults to the foundation.
import { findProject } from '../api-kit/find-project.ts'
import { createFaultBook, type FaultBook } from '../faults/fault-book.ts'
import { createRequestProjects } from '../faults/request-projects.ts'
import type { Foundation } from './open-foundation.ts'

export function openFaults({ ids, clock, stores, storage }: Foundation): FaultBook {
  const { projects, groups, tenants } = stores
  return createFaultBook({
    ids,
    clock,
    schemaNameOf: (reference) => findProject(projects, reference).schemaName,
    requestProjects: createRequestProjects({
      projects,
      groups,
      tenants,
      buckets: storage.buckets,
    }),
  })
}
