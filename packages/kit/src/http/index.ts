// What a service declares (endpoints, parameters, schemas, forms), and what serves it.

export { createHttpApp } from './app.ts';
export type { HttpApp, ReadinessFacts, ServiceParts } from './app.ts';
export { defineEndpoint } from './define-endpoint.ts';
export type { RequestValues } from './define-endpoint.ts';
export type {
  ClientMethods,
  Endpoint,
  EndpointQuestion,
  EndpointRequest,
  ExampleCall,
  Envelope,
  PublishedEndpoint,
  PublishedForm,
  StreamLines,
  TextAnswer,
  WrittenForm,
} from './endpoint.ts';
export { PART, WHOLE, dateSchema, describeAnswer, integerSchema, textSchema } from './json-schemas.ts';
export { preferredType } from './negotiation.ts';
export { builtPagesAbove } from './pages.ts';
export { oneOf, parameterFault, parseQueryString, readParameters, shownText } from './parameter.ts';
export type { About, Parameter, ParameterFault, ParameterTable, ParameterValues } from './parameter.ts';
export { requireAdmission } from './admit-request.ts';
export type { RequestTarget } from './request-context.ts';
