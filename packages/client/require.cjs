// What require() gets on a Node that cannot load an ES module.
throw new Error(
  'mokuroku-client is an ES module. From CommonJS write "const { createCatalogueClient } = await import(\'mokuroku-client\')" ' +
    'inside an async function; require() works from Node 20.19 and 22.12 on.',
);
