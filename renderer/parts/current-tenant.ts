// The current tenant: the one in the address, else the last one chosen, else the first project.
import { useParams } from '@tanstack/react-router'
import { useProjects } from '../api/info.ts'

const KEY = 'tenantry.tenant'

/** Its slug; `undefined` without projects. */
export function useCurrentTenant(): string | undefined {
  const { tenant } = useParams({ strict: false })
  const { data: projects = [], isWhole } = useProjects()
  if (tenant !== undefined) return tenant
  const kept = localStorage.getItem(KEY)
  if (kept !== null && (!isWhole || projects.some(({ slug }) => slug === kept))) return kept
  return projects[0]?.slug
}

/** Remembers the choice for screens whose address names no tenant. */
export function rememberTenant(slug: string): void {
  localStorage.setItem(KEY, slug)
}
