// Finds the current tenant: the tenant in the address, else the last tenant that the user chose, else the first
// project.
import { useParams } from '@tanstack/react-router'
import { useProjects } from '../api/info.ts'

const KEY = 'tenantry.tenant'

/** Returns the current tenant's slug, or `undefined` when no project exists. */
export function useCurrentTenant(): string | undefined {
  const { tenant } = useParams({ strict: false })
  const { data: projects } = useProjects()
  if (tenant !== undefined) return tenant
  const kept = localStorage.getItem(KEY)
  if (kept !== null && projects?.some(({ slug }) => slug === kept) !== false) return kept
  return projects?.[0]?.slug
}

/** Stores the choice for screens that have no tenant in their address. */
export function rememberTenant(slug: string): void {
  localStorage.setItem(KEY, slug)
}
