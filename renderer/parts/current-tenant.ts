// The tenant the screens are about: the one in the address, else the one of last time, else the first there is.
import { useParams } from '@tanstack/react-router'
import { useProjects } from '../api/info.ts'

const KEY = 'tenantry.tenant'

/** Slug; `undefined` while there is no project at all. */
export function useCurrentTenant(): string | undefined {
  const { tenant } = useParams({ strict: false })
  const { data: projects = [] } = useProjects()
  if (tenant !== undefined) return tenant
  const kept = localStorage.getItem(KEY)
  return projects.find(({ slug }) => slug === kept)?.slug ?? projects[0]?.slug ?? kept ?? undefined
}

/** Remembers the choice for screens whose address names no tenant. */
export function rememberTenant(slug: string): void {
  localStorage.setItem(KEY, slug)
}
