# A server of archives. First `uv build --wheel --out-dir dist`, then `docker build --tag vestigia .` (docs/server.md).
FROM python:3.13-slim AS build
COPY requirements-server.lock dist/vestigia-*.whl /tmp/install/
RUN python -m venv /opt/vestigia \
 && /opt/vestigia/bin/pip install --no-cache-dir --require-hashes --only-binary :all: --requirement /tmp/install/requirements-server.lock \
 && /opt/vestigia/bin/pip install --no-cache-dir --no-deps /tmp/install/vestigia-*.whl

FROM python:3.13-slim
COPY --from=build /opt/vestigia /opt/vestigia
RUN useradd --system --uid 10001 --no-create-home --home-dir /data vestigia \
 && install --directory --owner=vestigia --mode=0700 /archives /data
ENV PATH=/opt/vestigia/bin:$PATH PYTHONUNBUFFERED=1 PYTHONDONTWRITEBYTECODE=1
USER vestigia
VOLUME ["/archives", "/data"]
EXPOSE 8321
HEALTHCHECK --interval=30s --timeout=10s --start-period=120s CMD ["python", "-c", "import urllib.request; urllib.request.urlopen('http://127.0.0.1:8321/ready', timeout=8)"]
ENTRYPOINT ["vestigia"]
CMD ["serve", "/archives/archive", "--data", "/data", "--host", "0.0.0.0", "--name", "localhost", "--no-browser", "--log", "json"]
