import type { Module } from '../../foundation/module.ts';
import { problemRoutes } from './routes.ts';
import { businessProblems, type ProblemOptions } from './service.ts';

/** One list of what needs a person now; it stores nothing. */
export function problemsModule(ports: ProblemOptions): Module<ReturnType<typeof businessProblems>> {
  const problems = businessProblems(ports);
  return { service: problems, routes: problemRoutes(problems), jobs: [] };
}
