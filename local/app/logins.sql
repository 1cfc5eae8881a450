create role memory_controlplane login password '...' in role memory_service;
alter role memory_export_reader login password '...';
create role memory_relay login password '...' in role memory_publisher;
